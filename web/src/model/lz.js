// Reads the compressed texts of links to ptn.ninja. The format is that of the library lz-string
// (`compressToEncodedURIComponent`): numbers of entries of a growing list, and new letters.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$';
/** The bits of a letter. */
const BITS = 6;
/** Numbers with a meaning of their own: a character of 8 or 16 bits follows, and the end. */
const [BYTE, WIDE, END] = [0, 1, 2];

/**
 * The text, or null if there is none, or if it has more than `most` characters.
 * @param {string} code
 * @param {number} most
 */
export function unpacked(code, most) {
  const values = Array.from(code, (letter) => LETTERS.indexOf(letter));
  if (values.includes(-1)) {
    return null;
  }
  let at = 0;
  /** A number of so many bits, the lowest first. @param {number} count */
  const read = (count) => {
    let number = 0;
    for (let index = 0; index < count; index += 1, at += 1) {
      number |= (((values[Math.floor(at / BITS)] ?? 0) >> (BITS - 1 - (at % BITS))) & 1) << index;
    }
    return number;
  };
  const letter = (/** @type {number} */ kind) => String.fromCharCode(read(kind === BYTE ? 8 : 16));
  const first = read(2);
  if (first > WIDE) {
    return null;
  }
  const known = ['', '', '', letter(first)];
  const parts = [known[3]];
  let [last, length, width, left] = [known[3], 1, 3, 4];
  /** Numbers get wider after so many entries. */
  const count = () => {
    left -= 1;
    if (left === 0) {
      left = 2 ** width;
      width += 1;
    }
  };
  while (at < values.length * BITS && length <= most) {
    let number = read(width);
    if (number === END) {
      return parts.join('');
    }
    if (number === BYTE || number === WIDE) {
      known.push(letter(number));
      number = known.length - 1;
      count();
    }
    // An entry may be the one that it completes.
    const entry = number === known.length ? last + last[0] : known[number];
    if (!entry) {
      return null;
    }
    parts.push(entry);
    length += entry.length;
    known.push(last + entry[0]);
    last = entry;
    count();
  }
  return null;
}
