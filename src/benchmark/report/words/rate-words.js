import { nameCells, namesApart } from '../../../axes/cell-names.js';
import { duration, inShort, percent, rateText, spanOf, whole } from '../../../core/report/figures.js';
import { alike } from '../../judge/alike.js';

/** @import { BusyShares, GaveWay } from '../../judge/types.js' */
/** @import { Context, Of, Words } from './findings.js' */

/** @typedef {Of<'sustained-rate'>} Sustained */

/** Which rates were sustained, and what the bottleneck was. @satisfies {Words} */
export const RATE_WORDS = {
  'sustained-rate': { advice: { all: sustainedTexts } },
  rate: {
    explanation: ({ cell, gaveWay }, { name }) => (gaveWay ? `${name(cell)}: ${gaveWayText(gaveWay)}.` : []),
  },
};

/** Cells that sustained every rate share one sentence from this number on. */
const MANY = 4;

/** @param {Sustained[]} all @param {Context} context @returns {string[]} those that sustained every rate come first */
function sustainedTexts(all, context) {
  const kept = all.filter(({ broken }) => broken === null);
  const textOf = (/** @type {Sustained} */ finding) => sustainedText(finding, context);
  // Even the lowest rate, for no reason that the figures show: there is nothing to say of each cell.
  const puzzling = all.filter(({ held, broken }) => held === null && broken?.what === 'neither');
  const isAlone = puzzling.length < 2;
  return [
    ...alike(kept, ({ held }) => held?.intendedPerSecond).flatMap((own) =>
      own.length < MANY ? own.map(textOf) : allText(own, all, context),
    ),
    ...all.filter((each) => each.broken !== null && (isAlone || !puzzling.includes(each))).map(textOf),
    ...(isAlone ? [] : [puzzlingText(puzzling, all, context)]),
  ];
}

/** @param {Sustained[]} own @param {Sustained[]} all @param {Context} context */
function puzzlingText(own, all, { cell }) {
  const cellsOf = (/** @type {Sustained[]} */ some) => some.flatMap(({ cells }) => cells).map(cell);
  const names = namesApart(cellsOf(own), cellsOf(all.filter((each) => !own.includes(each))));
  const who = names.length === 0 ? '' : ` (${inShort(names)})`;
  const rates = own.map(({ broken }) => Number(broken?.intendedPerSecond));
  return `${subjectText(own, all)}${who} could not sustain any rate tried. At ${spanOf(rateText, rates)} neither client nor server was saturated, so the network or the machine was the limit.`;
}

/** @param {Sustained[]} own @param {Sustained[]} all */
function subjectText(own, all) {
  if (own.length < all.length) return `${own.length} of ${all.length} cells`;
  return own.length === 2 ? 'Both cells' : `All ${all.length} cells`;
}

/**
 * @param {Sustained[]} own that sustained the same rate, and all others they were given @param {Sustained[]} all
 * @param {Context} context
 */
function allText(own, all, { measured }) {
  const names = nameCells(measured, NAMED_APART);
  const texts = own
    .flatMap(({ cells: [id], held }) => (held?.p99Us == null ? [] : { id, us: held.p99Us }))
    .sort((a, b) => a.us - b.us)
    .map(({ id, us }) => `${duration(us)} ("${names.get(id)}")`);
  const p99 = texts.length === 0 ? '' : ` p99 from the scheduled start: ${texts[0]} to ${texts.at(-1)}.`;
  return `${subjectText(own, all)} sustained ${rateText(Number(own[0].held?.intendedPerSecond))}${highestText(own)}.${p99}`;
}

/** @param {Sustained} finding @param {Context} context */
function sustainedText(finding, { measured }) {
  const { cells, held, broken } = finding;
  const subject = `"${nameCells(measured, NAMED_APART).get(cells[0])}"`;
  const p99 =
    held?.p99Us == null ? 'latencies not recorded' : `p99 ${duration(held.p99Us)} from the scheduled start`;
  const best = held ? `${subject} sustained ${rateText(held.intendedPerSecond)} (${p99})` : null;
  if (!broken) return `${best}${highestText([finding])}.`;
  const late = broken.tooLate ? ` (p99 ${duration(Number(broken.p99Us))})` : '';
  const why = `At ${rateText(broken.intendedPerSecond)}${late} ${gaveWayText(broken)}.`;
  return best === null ? `${subject} could not sustain any rate tried. ${why}` : `${best}. ${why}`;
}

/** @param {Sustained[]} own @returns {string} nothing where one rate was tried */
const highestText = (own) => (own.some(({ cells }) => cells.length > 1) ? ', the highest rate tried' : '');

/** The sentence itself says this. */
const NAMED_APART = ['step', 'rate'];

/** @param {GaveWay} found */
function gaveWayText(found) {
  const { what, clientBusyShare, serverBusyShare, peakRssBytes, movedBytes, maxInFlight } = found;
  const client = `client ${percent(clientBusyShare)} busy${workText(found)}`;
  const mainThread = found.serverThreads === undefined ? '' : "'s main thread";
  const server =
    serverBusyShare === null
      ? "the server's CPU not known"
      : `server${mainThread} ${percent(serverBusyShare)}`;
  switch (what) {
    case 'client':
      return `the client's event loop was the bottleneck (${percent(clientBusyShare)} busy${workText(found)}, ${server}, ${whole(peakRssBytes / 1e6)} MB${garbageText(found)})`;
    case 'application':
      return `the application's own work was the bottleneck: it took ${percent(found.appBusyShare)} of the time (client ${percent(clientBusyShare)}, ${server})`;
    case 'server':
      return `the server's CPU was the bottleneck (its main thread ${percent(serverBusyShare)} busy, ${client})`;
    case 'processor':
      return `it was starved of CPU ${percent(found.waitedShare)} of the time, so the real bottleneck is unknown`;
    case 'distance':
      return `one round trip takes ${duration(Number(found.roundTripUs))}, longer than --slo`;
    case 'bound':
      return `it hit --max-in-flight ${whole(maxInFlight)} (${client}, ${server}${garbageText(found)}): the server or the network stalled, or that is too low`;
    default:
      if (found.serverThreads !== undefined)
        return `the bottleneck is unknown (${client}, ${server}, ${threadsText(found.serverThreads)})`;
      return `neither client nor server was saturated (${client}, ${server}, ${whole(movedBytes / 1e6)} MB moved), so the network or the machine was the limit`;
  }
}

/** Objects that wait for a reply outlive the young generation, which makes garbage collection expensive. */
const MUCH_GARBAGE = 0.2;

/** @param {GaveWay} found @returns {string} what to do about much garbage collection */
const garbageText = ({ garbageShare }) =>
  garbageShare < MUCH_GARBAGE
    ? ''
    : `, ${percent(garbageShare)} of the time in garbage collection: a lower --max-in-flight may be faster`;

/** @param {BusyShares} busy */
const workText = ({ appBusyShare }) =>
  appBusyShare === null ? '' : `, the application's own work another ${percent(appBusyShare)}`;

/** @param {number} cpus that all threads of a server used */
const threadsText = (cpus) =>
  `all its threads ${cpus.toFixed(1)} CPUs, time spent waiting for each other included`;
