// The result of a printed line on a calculator, and the places that it takes: the rule of handcalc/notation/calculator.py.

const MAX_OPERAND_PLACES = 4; // unless more are asked for
const HALF_TOLERANCE = 1e-7; // of the last place: so near to a half a number is a half, which floats cannot hold

// The arithmetic of a number that is printed as `result`: `write(places)` with the fewest places of its operands from
// which the result follows. Where none are enough it is not `isTrue`.
export function printedLine(write, value, result, places) {
  if (places === null) return { ...write(places), isTrue: true };
  const most = Math.max(places, MAX_OPERAND_PLACES);
  for (let more = places; ; more += 1) {
    const written = write(more);
    const isTrue = !written.isOperation || written.printed.every((got) => shows(got, value, result, places));
    if (isTrue || more === most) return { ...written, isTrue };
  }
}

// Whether a number that a calculator shows, rounded half away from zero, is the one that is printed.
export function shows(got, value, text, places) {
  if (!Number.isFinite(value)) return got === value;
  const printed = Number(text);
  const off = (got - printed) / 10 ** -placesOf(text, places);
  if (printed === 0 || !Number.isFinite(off)) return Math.abs(off) < 0.5 - HALF_TOLERANCE;
  const outwards = off * Math.sign(printed);
  return -0.5 - HALF_TOLERANCE <= outwards && outwards < 0.5 - HALF_TOLERANCE;
}

// A number without a point stands for as many places as were asked for.
function placesOf(text, places) {
  const [digits, power] = text.split("e");
  const after = digits.split(".")[1]?.length ?? 0;
  return power ? after - Number(power) : after || places;
}
