// Whether whoever looks has asked for less motion: then only what it leads to is shown.

const asked = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: false };

export const isStill = () => asked.matches;
