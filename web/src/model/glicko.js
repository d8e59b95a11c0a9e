// Glicko-2 by Mark Glickman: a rating with its deviation and volatility, after a period of games. The letters are those
// of his paper, "Example of the Glicko-2 system".

/** Rating points per unit of the scale that the formulas use. */
const SCALE = 173.7178;
/** How much the volatility may change over time. */
const TAU = 0.5;
const PRECISION = 0.000001;

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating */

/** @type {Rating} A player of whom nothing is known. */
export const UNKNOWN = Object.freeze({ rating: 1500, deviation: 350, volatility: 0.06 });

/** @type {(phi: number) => number} */
const g = (phi) => 1 / Math.sqrt(1 + (3 * phi ** 2) / Math.PI ** 2);

/** The volatility after the period, by the Illinois algorithm. @type {(phi: number, v: number, delta: number, sigma: number) => number} */
function volatilityAfter(phi, v, delta, sigma) {
  const a = Math.log(sigma ** 2);
  /** @type {(x: number) => number} */
  const f = (x) =>
    (Math.exp(x) * (delta ** 2 - phi ** 2 - v - Math.exp(x))) / (2 * (phi ** 2 + v + Math.exp(x)) ** 2) -
    (x - a) / TAU ** 2;
  let A = a;
  let B = 0;
  if (delta ** 2 > phi ** 2 + v) {
    B = Math.log(delta ** 2 - phi ** 2 - v);
  } else {
    let k = 1;
    while (f(a - k * TAU) < 0) {
      k += 1;
    }
    B = a - k * TAU;
  }
  let [fA, fB] = [f(A), f(B)];
  while (Math.abs(B - A) > PRECISION) {
    const C = A + ((A - B) * fA) / (fB - fA);
    const fC = f(C);
    if (fC * fB <= 0) {
      [A, fA] = [B, fB];
    } else {
      fA /= 2;
    }
    [B, fB] = [C, fC];
  }
  return Math.exp(A / 2);
}

/**
 * The rating after a period of games.
 * @param {Rating} player
 * @param {{rating: number, deviation: number, score: number}[]} games the opponents, and the points won: 0, 0.5 or 1
 * @returns {Rating}
 */
export function rated({ rating, deviation, volatility }, games) {
  const mu = (rating - UNKNOWN.rating) / SCALE;
  const phi = deviation / SCALE;
  let [information, surprise] = [0, 0];
  for (const { rating: theirs, deviation: unsure, score } of games) {
    const weight = g(unsure / SCALE);
    const expected = 1 / (1 + Math.exp(-weight * (mu - (theirs - UNKNOWN.rating) / SCALE)));
    information += weight ** 2 * expected * (1 - expected);
    surprise += weight * (score - expected);
  }
  if (games.length === 0) {
    return { rating, deviation: Math.hypot(phi, volatility) * SCALE, volatility };
  }
  const v = 1 / information;
  const sigma = volatilityAfter(phi, v, v * surprise, volatility);
  const after = 1 / Math.sqrt(1 / (phi ** 2 + sigma ** 2) + information);
  return {
    rating: UNKNOWN.rating + SCALE * (mu + after ** 2 * surprise),
    deviation: SCALE * after,
    volatility: sigma,
  };
}
