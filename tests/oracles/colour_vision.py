"""Oracle of colours: what the colour-blind see, how far apart two colours are, and their contrast."""

import numpy as np
from numpy.typing import NDArray

Colour = NDArray[np.float64]  # red, green, blue from 0 to 1, as sRGB has them

# Machado, Oliveira & Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency"
# (2009), table 1 at severity 1.0, for linear RGB; achromatopsia is the luminance alone (ITU-R BT.709).
SEEN_BY = {
    "everybody": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
    "achromatopsia": np.array([[0.2126, 0.7152, 0.0722]] * 3),
}
# Ottosson, "A perceptual color space for image processing" (2020): from linear RGB to cones, and to OKLab.
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(colour: Colour) -> Colour:
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def apart(one: Colour, other: Colour, eyes: str = "everybody") -> float:
    """How different two colours look to these eyes: their distance in OKLab; black and white are 1 apart."""
    first, second = (
        TO_LAB @ np.cbrt(TO_CONES @ np.clip(SEEN_BY[eyes] @ linear(c), 0, 1)) for c in (one, other)
    )
    return float(np.linalg.norm(first - second))


def luminance(colour: Colour) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one: Colour, other: Colour) -> float:
    """WCAG 2's contrast ratio, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
