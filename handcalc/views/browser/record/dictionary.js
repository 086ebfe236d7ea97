// An object whose keys are names that people choose: a step may be called constructor, or __proto__.

export const dictionary = (entries = {}) => Object.assign(Object.create(null), entries);
