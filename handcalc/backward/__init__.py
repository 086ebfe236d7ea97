"""Backwards: how a loss changes with every number before it, as a calculation of its own."""

from handcalc.backward.learning import Training as Training
from handcalc.backward.learning import learning_step as learning_step
from handcalc.backward.learning import train as train
from handcalc.backward.slopes import gradients as gradients
from handcalc.backward.slopes import slope_of as slope_of
