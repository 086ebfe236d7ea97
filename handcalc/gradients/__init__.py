"""Backwards: how a loss changes with every number before it, as a calculation of its own."""

from handcalc.gradients.gradient_names import slope_name as slope_name
from handcalc.gradients.gradient_record import gradients as gradients
from handcalc.gradients.gradient_record import loss_of as loss_of
from handcalc.gradients.gradient_record import slope_of as slope_of
from handcalc.gradients.learning_step import learning_step as learning_step
from handcalc.gradients.training import Training as Training
from handcalc.gradients.training import train as train
