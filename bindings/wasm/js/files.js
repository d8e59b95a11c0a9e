// The addresses of the files of the package. Bundlers recognise each of them by its form, and emit it.

import three from './weights-3.js';
import four from './weights-4.js';
import five from './weights-5.js';
import six from './weights-6.js';
import seven from './weights-7.js';
import eight from './weights-8.js';

/** The weights, by board size. */
export const weights = { ...three, ...four, ...five, ...six, ...seven, ...eight };
