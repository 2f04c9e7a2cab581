import { count } from '../../../numbers.js';
import { kilobytes, micro, percent, said, spanText } from '../../../report/figures.js';
import { MOST_MISSED } from '../judge/code-costs.js';

/** @import { CodeCosts } from '../judge/code-costs.js' */
/** @import { CodeChange, CodeDifference } from '../judge/types.js' */
/** @import { CodeFrame } from '../../../worker/types.js' */

/**
 * What their samples do not show. With 1 task, whose client waits after each operation, samples found half of what a function took,
 * with 64 all of it.
 * @param {CodeCosts[]} costs of one kind @returns {string} empty where they show it all
 */
export function unsampledText(costs) {
  const processes = Math.max(...costs.map((each) => each.processes));
  const misses = costs.map(({ missed }) => missed).filter((missed) => Math.abs(missed) > MOST_MISSED);
  const [low, high] = [Math.min(...misses), Math.max(...misses)];
  return said([
    processes > 1 && `Only the first of several processes (${processes} per cell) was sampled.`,
    high > 0 &&
      `V8's samples miss up to ${percent(high)} of the CPU time that is not polling: polling is an upper bound, other code a lower one.`,
    low < 0 &&
      `V8's samples count up to ${percent(-low)} more than the CPU time, because the process waited for CPU.`,
    misses.length > 0 && 'So no code is named as the reason.',
  ]).join(' ');
}

/** @param {number} share */
export const offText = (share) => `${percent(Math.abs(share))} ${share < 0 ? 'less' : 'more'}`;

/** @param {number[]} shares */
export function profiledText(shares) {
  const ends = [Math.min(...shares), Math.max(...shares)];
  const [low, high] = (ends[1] < 0 ? ends.reverse() : ends).map(offText);
  return `Profiled runs used ${spanText(low, high)} CPU per operation than timed runs.`;
}

/** The shares of a difference that are its main part: beyond it, others go the other way by much. */
const MAIN = { least: 0.25, most: 1.5 };
const MOSTLY = 0.5;

/** What makes most of a difference. @param {CodeDifference} difference @returns {string | null} null if no part does, beyond the error, or samples miss much */
export function mainPartText({ perOp, againstPerOp, unit, kinds, modules, missesMuch }) {
  if (missesMuch) return null;
  const more = perOp - againstPerOp;
  const main = kinds.find((kind) => kind.more > 0 === more > 0);
  const share = main === undefined ? 0 : main.more / more;
  if (main === undefined || share < MAIN.least || share > MAIN.most) return null;
  const amount = costText(Math.abs(main.more), unit);
  const where = kindText(main, modules);
  return more > 0 ? `${amount} more in ${where}` : `${amount} less in ${where}`;
}

/** @param {number} amount @param {CodeDifference['unit']} unit */
export const costText = (amount, unit) =>
  unit === 'bytes' ? (amount < 1000 ? count(Math.round(amount), 'byte') : kilobytes(amount)) : micro(amount);

/** @param {CodeChange} kind @param {CodeChange[]} modules of all kinds, the largest first */
function kindText({ part, file: named, more }, modules) {
  if (named !== null) return named;
  const main = modules.find((each) => each.part === part && each.more > 0 === more > 0);
  const file = main === undefined || main.more / more < MOSTLY ? null : moduleName(main);
  if (file === null) return PARTS[part];
  return part === 'package' ? `${main?.package}'s code (mostly ${file})` : `${PARTS[part]} (mostly ${file})`;
}

/** @type {Record<CodeFrame['part'], string>} */
export const PARTS = {
  package: "the client's own code",
  node: "Node's own JavaScript",
  native: 'native code',
  poll: 'polling and reading sockets',
  garbage: 'garbage collection',
  tool: 'this tool',
  application: "the application's own work",
  other: 'other files',
};

/** `commands-queue`; of native code its name; null for small functions. @param {Pick<CodeFrame, 'part' | 'file' | 'name'>} code */
function moduleName({ part, file, name }) {
  if (part === 'native') return name === '' ? null : name;
  if (file === null || file === '') return null;
  const [last, folder] = file
    .replace(/\.[cm]?js$/, '')
    .split('/')
    .reverse();
  return last === 'index' && folder !== undefined ? `${folder}/index` : last;
}

/** @param {CodeFrame} code @returns {string} `@redis/client dist/lib/client/socket.js:356 write` */
export function placeText({ part, package: owner, file, name, line }) {
  if (part === 'garbage' || part === 'poll') return PARTS[part];
  const at = file === null ? '' : `${file}${line === null ? '' : `:${line}`}`;
  const whose = part === 'node' ? 'node:' : part === 'package' ? `${owner} ` : '';
  return [at === '' ? PARTS[part] : `${whose}${at}`, name].filter(Boolean).join(' ');
}
