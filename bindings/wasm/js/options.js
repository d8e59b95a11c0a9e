// What callers give: names, kinds and ranges are checked before anything is sent, in the words of the caller. A field that
// is `undefined` counts as absent.

/** The usual values, those of TEI and of the command line. */
export const USUAL = { size: 6, komi: 0, opening: 'swap', multipv: 1, level: 0, hash: 16 };

const MAX_SHOWN = 40;

/** A live game has this property, with its `toJSON()` as the value: so that `{ ...game }` is the same game. */
export const STORED = Symbol.for('tak-engine.game');

/** The plain data of what may be a live game, or a spread one. */
export function plain(given) {
  if (typeof given?.toJSON === 'function') {
    return given.toJSON();
  }
  if (Object(given) !== given || !(STORED in given)) {
    return given;
  }
  const { [STORED]: stored, ...rest } = given;
  return { ...stored, ...rest };
}

/** A value in an error. */
export function shown(value) {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? '[array]' : '[object]';
  }
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** A check of one field: what is expected, whether a value is right, and whether a wrong one is of the right kind. */
const is = (expected, isRight, isKind = () => false) => (value, name) => {
  if (!isRight(value)) {
    const Kind = isKind(value) ? RangeError : TypeError;
    throw new Kind(`invalid ${name} ${shown(value)}: expected ${expected}`);
  }
};
const isNumber = (value) => typeof value === 'number';
const isText = (value) => typeof value === 'string';
const isWhole = (value, least, most) => Number.isSafeInteger(value) && value >= least && value <= most;
/** From the least to the most, or without an end. */
const whole = (least, most) =>
  is(`a whole number from ${least}${most ? ` to ${most}` : ''}`, (value) => isWhole(value, least, most ?? Number.MAX_SAFE_INTEGER), isNumber);
const anything = () => {};
const text = is('a text', isText);
const call = is('a function', (value) => typeof value === 'function');
const texts = is('an array of moves as text', (value) => Array.isArray(value) && Array.from(value).every(isText));
const signal = is('an AbortSignal', (value) => typeof value?.addEventListener === 'function');
const isAddress = (value) => isText(value) || isText(value?.href);
/** Addresses by board size. */
const isWeights = (value) => Object(value) === value && Object.entries(value).every(([size, at]) => /^[3-8]$/.test(size) && isAddress(at));
const isPair = (value) => Array.isArray(value) && value.length === 2;
const isReserve = (value) => isPair(value) && value.every((count) => isWhole(count, 0, 255));

/** A position: the start of a game and its moves. What `parsePtn` adds is allowed, and counts for nothing. */
export const GAME = {
  tps: text,
  moves: texts,
  size: whole(3, 8),
  komi: is('whole or half flats from -10 to 10', (value) => isNumber(value) && isWhole(value * 2, -20, 20), isNumber),
  opening: is('swap, no-swap or double-black', (value) => ['swap', 'no-swap', 'double-black'].includes(value), isText),
  reserves: is('[[stones, capstones], [stones, capstones]]', (value) => isPair(value) && value.every(isReserve), Array.isArray),
  white: anything,
  black: anything,
  result: anything,
  tags: anything,
  note: anything,
};
export const ANALYSE = {
  ...GAME,
  movetime: is('milliseconds from 0', (value) => Number.isFinite(value) && value >= 0, isNumber),
  nodes: whole(1),
  depth: whole(1, 2 ** 32 - 1),
  multipv: whole(1, 64),
  level: whole(0, 30),
  elo: whole(0, 10_000),
  seed: whole(0, 2 ** 31 - 1),
  onInfo: call,
  signal,
};
export const ANNOTATE = { nodes: whole(1), onProgress: call, signal };
export const START = {
  hash: is('whole MiB from 1 to 1024', (value) => isWhole(value, 1, 1024), isNumber),
  wasm: is('an address or a compiled module', (value) => isAddress(value) || value instanceof WebAssembly.Module),
  weights: is('a folder or weights of tak-engine/weights', (value) => isAddress(value) || [value].flat().every(isWeights)),
  worker: call,
};
export const NAMES = { white: text, black: text };
export const PICTURE = {
  theme: text,
  width: whole(1, 10_000),
  flipped: is('true or false', (value) => typeof value === 'boolean'),
  moves: texts,
};
/** A line of an analysis, of which only these are read. */
export const LINE = {
  moves: texts,
  score: text,
  winner: is('white, black or null', (value) => [null, 'white', 'black'].includes(value), isText),
  centiflats: anything,
  chances: anything,
  proven: anything,
};

function checkObject(what, given) {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`invalid ${what} ${shown(given)}: expected an object`);
  }
}

/**
 * Throws if this is not an object, or if it has an unknown name or an invalid value.
 * @param {'game' | 'option' | 'line' | 'name'} what it is called in errors
 * @param {unknown} given
 * @param {Record<string, (value: unknown, name: string) => void>} fields
 */
export function check(what, given, fields) {
  checkObject(what, given);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(fields, name)) {
      const known = Object.keys(fields).filter((each) => fields[each] !== anything);
      const meant = known.find((each) => each.toLowerCase() === name.toLowerCase());
      const kind = what === 'option' ? what : `${what} key`;
      throw new TypeError(`unknown ${kind} ${shown(name)}: expected ${meant ?? known.join(', ')}`);
    }
    if (value !== undefined) {
      fields[name](value, name);
    }
  }
}

/** Throws if a value is not a text. */
export const checkText = text;

/** Throws if this is not an object of texts. */
export function checkTags(given) {
  checkObject('tags', given);
  Object.entries(given).forEach(([name, value]) => text(value, name));
}
