// Whether the reader has asked for reduced motion: then only end states are shown.

const stillness = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: false };

export const prefersReducedMotion = () => stillness.matches;
