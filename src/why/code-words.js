import { count } from '../axes/number-words.js';
import { joined, kilobytes, micro, percent, said, spanOf } from '../core/report/figures.js';
import { codeCosts } from './code-costs.js';

/** @import { CodeChange, CodeCosts, CodeDifference } from '../benchmark/judge/types.js' */
/** @import { CodeFrame } from '../core/worker/types.js' */
/** @import { Context, Of, Words } from '../benchmark/report/words/findings.js' */

/** A profile that is further off the nearest timed run is not of that program. */
const FAR_OFF = 0.2;

/** Where the time of an operation goes. @satisfies {Words} */
export const CODE_WORDS = {
  profiled: {
    details: ({ offBy, cells }, { cell }) =>
      said([
        profiledText(offBy.map(({ share }) => share)),
        unsampledText(cells.flatMap((id) => codeCosts(cell(id)) ?? [])),
      ]),
    warnings: ({ offBy }, context) =>
      offBy
        .filter(({ beyondRuns }) => Math.abs(beyondRuns) > FAR_OFF)
        .map((each) => farOffText(each, context)),
  },
};

/** With 1 task, whose client waits after each operation, samples found half of what a function took, with 64 all of it. */
const MUCH_POLLING = 0.2;

/** @param {CodeCosts[]} costs of one kind @returns {string} what their samples do not show; empty where they show it all */
export function unsampledText(costs) {
  const processes = Math.max(...costs.map((each) => each.processes));
  const waits = costs.some(({ parts, perOp }) =>
    parts.some((each) => each.part === 'poll' && each.perOp > MUCH_POLLING * perOp),
  );
  return said([
    processes > 1 && `Only the first of several processes (${processes} per cell) was sampled.`,
    waits &&
      'Samples miss some of the work of a client that often waits: its polling is an upper bound, its other code a lower one.',
  ]).join(' ');
}

/** @param {Of<'profiled'>['offBy'][number]} off @param {Context} context */
const farOffText = ({ cell, share }, { name }) =>
  `the profiled run of ${name(cell)} used ${offText(share)} CPU per operation than its timed runs, so its profile may not represent them`;

/** @param {number} share */
const offText = (share) => `${percent(Math.abs(share))} ${share < 0 ? 'less' : 'more'}`;

/** @param {number[]} shares */
export const profiledText = (shares) =>
  `Profiled runs used ${spanOf(offText, shares)} CPU per operation than timed runs.`;

/** A smaller share of the difference is no main part. */
const MOST_PARTS = 2;
const LEAST_PART = 0.08;
/** From this part of the difference on, what goes the other way is reported. */
const COUNTER = 0.25;
const MOST_FILES = 2;

/**
 * `3.1 µs more in Node's abort_controller and timers, 2.4 µs in garbage collection`; empty within the error of sampling.
 * @param {CodeDifference} difference
 */
export function mainPartsText({ perOp, againstPerOp, unit, kinds, modules }) {
  const more = perOp - againstPerOp;
  const isSameWay = (/** @type {CodeChange} */ kind) => kind.more > 0 === more > 0;
  const isPart = (/** @type {CodeChange} */ kind, /** @type {number} */ least) =>
    Math.abs(kind.more) >= least * Math.abs(more);
  const textOf = (/** @type {CodeChange} */ kind, /** @type {string} */ direction) =>
    `${costText(Math.abs(kind.more), unit)}${direction} in ${kindText(kind, modules, unit)}`;
  const main = kinds.filter((kind) => isSameWay(kind) && isPart(kind, LEAST_PART)).slice(0, MOST_PARTS);
  const back = kinds.filter((kind) => !isSameWay(kind) && isPart(kind, COUNTER));
  const [forth, opposite] = more > 0 ? [' more', ' less'] : [' less', ' more'];
  const texts = main.map((kind, index) => textOf(kind, index > 0 ? '' : forth));
  const backTexts = back.map((kind) => textOf(kind, opposite));
  const rest = more - [...main, ...back].reduce((sum, kind) => sum + kind.more, 0);
  const restText = `${costText(Math.abs(rest), unit)} ${rest > 0 ? 'more' : 'less'} in all the rest`;
  // What is beyond the errors may all go the other way.
  if (main.length === 0) return backTexts.length === 0 ? '' : `${joined(backTexts)}, but ${restText}`;
  // Otherwise the parts would seem to be more than the whole.
  const isOpposed = rest > 0 !== more > 0 && Math.abs(rest) >= COUNTER * Math.abs(more);
  return said([joined(texts), joined(isOpposed ? [...backTexts, restText] : backTexts)]).join(', but ');
}

/** @param {number} amount @param {CodeDifference['unit']} unit */
export const costText = (amount, unit) =>
  unit === 'bytes' ? (amount < 1000 ? count(Math.round(amount), 'byte') : kilobytes(amount)) : micro(amount);

/** Files that are named alone account for this much of their part. */
const NEARLY_ALL = 0.8;

/** @param {CodeChange} kind @param {CodeChange[]} modules of all kinds, the largest first @param {CodeDifference['unit']} unit */
function kindText({ part, more }, modules, unit) {
  const alike = modules.filter((each) => each.part === part && each.more > 0 === more > 0);
  const owner = alike[0]?.package ?? null;
  const named = alike
    .filter((each) => each.package === owner && moduleName(each) !== null)
    .slice(0, MOST_FILES);
  if (named.length === 0) return PARTS[part];
  const files = `${part === 'package' ? `${owner}'s ` : ''}${named.map(moduleName).join(' and ')}`;
  const share = named.reduce((sum, each) => sum + each.more, 0) / more;
  if (share < NEARLY_ALL) return `${PARTS[part]} (${costText(Math.abs(share * more), unit)} in ${files})`;
  if (part === 'package') return files;
  return part === 'node' ? `Node's ${files}` : `${PARTS[part]} (${files})`;
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
  other: 'plugins',
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
