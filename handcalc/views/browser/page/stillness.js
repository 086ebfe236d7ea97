// Whether whoever looks has stillness for less motion: then only what it leads to is shown.

const stillness = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: false };

export const isStill = () => stillness.matches;
