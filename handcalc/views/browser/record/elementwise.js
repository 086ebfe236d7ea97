// Written by .ci/elementwise.py from the rows of handcalc/operations/: change those, then `make scripts`.
//
// `write` makes the arithmetic of one number as it is read, `compute` the number itself: by another form
// where digits would be lost on the way or a number would be too large.

import { special } from "./special_functions.js";

const plus = (m, a, b) => m.sum(2, (k) => (k ? b : a));

export const elementwise = {
  absolute: {
    write: (m, a) => m.call("abs", a),
    compute: (a) => Math.abs(a),
  },
  add: {
    write: (m, a, b) => plus(m, a, b),
    compute: (a, b) => a + b,
  },
  divide: {
    write: (m, a, b) => m.quotient(a, b),
    compute: (a, b) => a / b,
  },
  exp: {
    write: (m, a, op) => {
      if (op.base === Math.E) {
        return m.power(m.e, a);
      }
      return m.power(m.constant(op.base), a);
    },
    compute: (a, op) => {
      if (op.base === Math.E) {
        return Math.exp(a);
      }
      return op.base ** a;
    },
  },
  floor: {
    write: (m, a) => m.call("floor", a),
    compute: (a) => Math.floor(a),
  },
  gelu: {
    write: (m, a, op) => {
      if (op.approximate) {
        return m.product(m.product(m.constant(0.5), a), plus(m, m.constant(1), m.call("tanh", m.product(m.root(m.quotient(m.constant(2), m.pi)), plus(m, a, m.product(m.constant(0.044715), m.power(a, m.constant(3))))))));
      }
      return m.product(a, m.call("Φ", a));
    },
    compute: (a, op) => {
      if (op.approximate) {
        return (0.5 * a) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (a + (0.044715 * ((a * a) * a)))));
      }
      return a * special.Φ(a);
    },
  },
  gelu_slope: {
    write: (m, a, op) => {
      if (op.approximate) {
        const part1 = m.root(m.quotient(m.constant(2), m.pi));
        const part2 = m.call("tanh", m.product(part1, plus(m, a, m.product(m.constant(0.044715), m.power(a, m.constant(3))))));
        return plus(m, m.product(m.constant(0.5), plus(m, m.constant(1), part2)), m.product(m.product(m.product(m.constant(0.5), a), m.difference(m.constant(1), m.power(part2, m.constant(2)))), m.product(part1, plus(m, m.constant(1), m.product(m.constant(0.134145), m.power(a, m.constant(2)))))));
      }
      return plus(m, m.call("Φ", a), m.product(a, m.quotient(m.power(m.e, m.negative(m.quotient(m.power(a, m.constant(2)), m.constant(2)))), m.root(m.product(m.constant(2), m.pi)))));
    },
    compute: (a, op) => {
      if (op.approximate) {
        const part1 = Math.sqrt(2 / Math.PI);
        const part2 = Math.max(-40, Math.min(a, 40));
        const part3 = part2 * part2;
        const part4 = Math.tanh(part1 * (part2 + (0.044715 * (part3 * part2))));
        return (0.5 * (1 + part4)) + (((0.5 * part2) * (1 - (part4 ** 2))) * (part1 * (1 + (0.134145 * part3))));
      }
      const part1 = Math.max(-40, Math.min(a, 40));
      return special.Φ(part1) + ((part1 * Math.exp((0 - (part1 * part1)) / 2)) / Math.sqrt(2 * Math.PI));
    },
  },
  leaky_relu: {
    write: (m, a, op) => m.call("max", m.product(m.constant(op.alpha), a), a),
    compute: (a, op) => Math.max(op.alpha * a, a),
  },
  log: {
    write: (m, a) => m.call("ln", a),
    compute: (a) => special.ln(a),
  },
  multiply: {
    write: (m, a, b) => m.product(a, b),
    compute: (a, b) => a * b,
  },
  negate: {
    write: (m, a) => m.negative(a),
    compute: (a) => 0 - a,
  },
  power: {
    write: (m, a, op) => m.power(a, m.constant(op.exponent)),
    compute: (a, op) => a ** op.exponent,
  },
  relu: {
    write: (m, a) => m.call("max", m.constant(0), a),
    compute: (a) => Math.max(0, a),
  },
  round: {
    write: (m, a, op) => m.call("round", a, m.constant(op.places)),
    compute: (a, op) => special.round(a, op.places),
  },
  sigmoid: {
    write: (m, a) => m.quotient(m.constant(1), plus(m, m.constant(1), m.power(m.e, m.negative(a)))),
    compute: (a) => 1 / (1 + Math.exp(0 - a)),
  },
  sign: {
    write: (m, a) => m.call("sign", a),
    compute: (a) => special.sign(a),
  },
  silu: {
    write: (m, a) => m.quotient(a, plus(m, m.constant(1), m.power(m.e, m.negative(a)))),
    compute: (a) => a / (1 + Math.exp(0 - a)),
  },
  softplus: {
    write: (m, a) => m.call("ln", plus(m, m.constant(1), m.power(m.e, a))),
    compute: (a) => Math.max(0, a) + Math.log1p(Math.exp(0 - Math.abs(a))),
  },
  sqrt: {
    write: (m, a) => m.root(a),
    compute: (a) => Math.sqrt(a),
  },
  step: {
    write: (m, a, op) => {
      if (op.below) {
        return m.call("max", m.constant(op.below), m.call("step", a));
      }
      return m.call("step", a);
    },
    compute: (a, op) => {
      if (op.below) {
        return Math.max(op.below, special.step(a));
      }
      return special.step(a);
    },
  },
  subtract: {
    write: (m, a, b) => m.difference(a, b),
    compute: (a, b) => a - b,
  },
  tanh: {
    write: (m, a) => m.call("tanh", a),
    compute: (a) => Math.tanh(a),
  },
};
