// Comments of people and of engines, and marks.

/** @import { Notes } from '../protocol.js' */

/** Numbers of engines, which are in the graph. @type {(text: string) => boolean} */
const isEngines = (text) => /^\s*(name:"|cp:|wdl:|score:|[+-]\d)/.test(text) || text.startsWith('*tak-engine: ');
/** PTN Ninja marks notes with an asterisk, and reads no numbers in them. @type {(text: string) => string} */
const plain = (text) => text.replace(/^\*/, '');

/** What people have said in comments. @type {(comments: string[]) => string[]} */
export const said = (comments) => comments.filter((text) => !isEngines(text)).map(plain);

/** The judgement among marks; others are of tak and tinue. @type {(marks: string) => string} */
export const judgementOf = (marks) => marks.replace(/[^!?]/g, '');

/** Marks with another judgement. @type {(marks: string, judgement: string) => string} */
export const withJudgement = (marks, judgement) => marks.replace(/[!?]/g, '') + judgement;

/**
 * Notes with another judgement, and with these texts in the place of those that people had written.
 * @param {Notes} notes
 * @param {string} judgement
 * @param {string} text one comment a line
 * @returns {Notes | null} null if nothing is left
 */
export function revised(notes, judgement, text) {
  const { marks = '', comments = [], ...others } = notes;
  const before = comments.filter((each) => !isEngines(each));
  // Braces end comments in PTN.
  const lines = text
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const own = lines.map((line) => before.find((each) => plain(each) === line) ?? (isEngines(line) ? `*${line}` : line));
  const kept = {
    marks: withJudgement(marks, judgement),
    comments: [...own, ...comments.filter((each) => !before.includes(each))],
  };
  return kept.marks || kept.comments.length > 0 || Object.keys(others).length > 0 ? { ...others, ...kept } : null;
}
