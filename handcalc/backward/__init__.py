"""Backwards: how a loss changes with every number before it, as a calculation of its own."""

from handcalc.backward.learning import learning_step as learning_step
from handcalc.backward.naming import slope_name as slope_name
from handcalc.backward.slopes import gradients as gradients
from handcalc.backward.slopes import loss_of as loss_of
from handcalc.backward.slopes import slope_of as slope_of
from handcalc.backward.training import Training as Training
from handcalc.backward.training import train as train
