// Numbers that are found by comparing, the counterpart of handcalc/notation/choices.py: what each comes to, and what
// is said of it. `other` is the place that is asked for, counted from 1, or the random number.

export const placesFromLargest = (values) => Array.from(values, (_, k) => k).sort((a, b) => values[b] - values[a] || a - b);

const firstAbove = (bounds, r) => {
  const first = bounds.findIndex((bound) => bound > r);
  return first < 0 ? bounds.length - 1 : first;
};

const unlessUnknown = (find) => (values, other) => ([...values, other].some(Number.isNaN) ? NaN : find(values, other));

export const comparing = {
  large: {
    find: unlessUnknown((values, place) => values[placesFromLargest(values)[place - 1]] + 0), // no minus zero
    remark: (told, values, place) => told(placesFromLargest(values)[place - 1]),
  },
  rank: {
    find: unlessUnknown((values, place) => placesFromLargest(values).indexOf(place - 1) + 1),
    remark: (told, values, place) => {
      const own = values[place - 1];
      const larger = values.filter((value) => value > own).length;
      const earlier = values.slice(0, place - 1).filter((value) => value === own).length;
      return `${told(place - 1)}: ${larger} larger${earlier ? `, ${earlier} equal and earlier` : ""}`;
    },
  },
  sample: {
    find: unlessUnknown((bounds, r) => firstAbove(bounds, r) + 1),
    remark: (told, bounds, r) =>
      r >= bounds.at(-1) ? `no bound is above it: ${told(bounds.length - 1)}` : `first bound above it: ${told(firstAbove(bounds, r))}`,
  },
};
