import { byteSize } from '../plugins/shared/byte-size.js';
import { isObject, microseconds } from './values.js';

/** @import { CompanyPart } from '../plan/types.js' */

/** What may stand beside the measured operations. Nothing else is allowed, so that no key but the tool's own is touched. */
const FORMS = {
  GET: { argument: size, needsRate: true },
  SET: { argument: size, needsRate: true },
  EVAL: { argument: time, needsRate: true },
  BLPOP: { argument: time, needsRate: false },
};
const EXPECTED =
  "none, or commands and their rates such as 'GET 1mb @ 20/s', 'SET 100kb @ 50/s', 'EVAL 10ms @ 5/s' (a script that keeps the server busy) " +
  "and 'BLPOP 1s' (a blocking read in a loop), several of them with + between";

const LARGEST_BYTES = 512e6;
/** Every run waits for the last of them to end. */
const LONGEST_MS = 1000;
/** What a timer of a millisecond can keep up with. */
const HIGHEST_RATE = 10_000;

const PART = /^([a-z]+)\s+([\d.]+\s?[a-zµ]*)(?:\s*@\s*([\d.]+)\s*\/\s*s)?$/i;

/**
 * Traffic beside the measured operations: one set of commands for each value, with commas between values.
 *
 * @param {unknown} value text, several texts, or what this returned before
 * @returns {CompanyPart[][]} an empty set for `none`
 * @throws {Error} that says what was expected
 */
export function companies(value) {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((each) =>
    typeof each === 'string' ? each.split(',') : [nameOf(each)],
  );
  return [...new Map(texts.map((text) => [nameOf(readCompany(text)), readCompany(text)])).values()];
}

/** @param {unknown} parts that were read before @returns {string} */
const nameOf = (parts) =>
  Array.isArray(parts) && parts.every(isObject) ? parts.map(({ name }) => name).join(' + ') || 'none' : '';

/** @param {string} text */
const readCompany = (text) => (text.trim() === 'none' ? [] : text.split('+').map(readPart));

/** @param {string} text @returns {CompanyPart} */
function readPart(text) {
  const [, word = '', argument = '', rate] = PART.exec(text.trim()) ?? [];
  const command = word.toUpperCase();
  const form = Object.hasOwn(FORMS, command) ? FORMS[/** @type {keyof typeof FORMS} */ (command)] : null;
  const read = form?.argument(argument) ?? null;
  const perSecond = rate === undefined ? null : Number(rate);
  const rateIsRight =
    perSecond === null ? form?.needsRate === false : perSecond > 0 && perSecond <= HIGHEST_RATE;
  if (read === null || !rateIsRight) throw new Error(`expected ${EXPECTED}; got '${text.trim()}'`);
  return {
    name: [
      command,
      argument.replace(/\s/g, '').toLowerCase(),
      ...(perSecond === null ? [] : [`@ ${perSecond}/s`]),
    ].join(' '),
    command: /** @type {CompanyPart['command']} */ (command.toLowerCase()),
    ...read,
    perSecond,
  };
}

/** @param {string} text */
function size(text) {
  const bytes = byteSize(text);
  return bytes === null || bytes > LARGEST_BYTES ? null : { bytes, ms: null };
}

/** @param {string} text */
function time(text) {
  try {
    const ms = microseconds(text.replace(/\s/g, '')) / 1000;
    return ms >= 1 && ms <= LONGEST_MS ? { bytes: null, ms } : null;
  } catch {
    return null;
  }
}
