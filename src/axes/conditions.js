import { askedDuration, count, whole } from '../core/numbers.js';
import { defineAxis } from './define.js';

/** @import { OpenLoopPlan } from '../core/plan/types.js' */
/** @import { Distance } from '../core/relay/types.js' */
/** @import { Axis, AxisCell } from './types.js' */

/** The user's situation: concurrency and distance. */

/** Two processes are never compared with one. */
export const processes = defineAxis({
  id: 'processes',
  role: 'condition',
  noun: 'number of processes',
  phrase: (cell) => (cell.processes > 1 ? count(cell.processes, 'process', 'processes') : ''),
  idPart: (cell) => (cell.processes > 1 ? `${cell.processes} processes` : ''),
  usual: '1 process',
  titledLast: true,
  notMeasured: {
    what: 'numbers of processes',
    other: (cell) => (cell.processes > 1 ? whole(cell.processes) : ''),
  },
});

export const machines = defineAxis({
  id: 'machines',
  role: 'condition',
  asked: (settings) => settings.machines?.map((each) => ({ machines: each })) ?? [{}],
  phrase: ({ machines: number }) => (number === undefined ? '' : count(number, 'machine')),
  title: (cell) => (cell.machines === undefined ? '' : `from ${machines.row(cell)}`),
  titledLast: true,
  notMeasured: {
    what: 'numbers of machines',
    other: (cell) => (cell.machines === undefined ? '' : whole(cell.machines)),
  },
});

export const tasks = defineAxis({
  id: 'tasks',
  role: 'condition',
  noun: 'number of tasks',
  asked: (settings) => settings.tasks.map((each) => ({ tasks: each })),
  phrase: (cell) => count(cell.tasks, 'task'),
  idPart: (cell) => String(cell.tasks),
  notMeasured: { what: 'numbers of tasks', other: (cell) => whole(cell.tasks) },
});

/** @param {AxisCell} cell */
const workText = ({ appWorkUs }) => (appWorkUs ? `${askedDuration(appWorkUs)} of app work` : '');

const appWork = defineAxis({
  id: 'appWork',
  role: 'condition',
  noun: 'amount of app work',
  of: (cell) => cell.appWorkUs || null,
  asked: (settings) => settings.appWork.map((appWorkUs) => ({ appWorkUs })),
  phrase: (cell) => (cell.appWorkUs ? `${workText(cell)} per operation` : ''),
  idPart: (cell) => (cell.appWorkUs ? `${cell.appWorkUs}us of work` : ''),
  row: (cell) => workText(cell) || 'no app work',
  columns: { appWorkUs: (cell) => cell.appWorkUs },
  notMeasured: {
    what: 'amounts of app work',
    other: (cell) => (cell.appWorkUs ? askedDuration(cell.appWorkUs) : ''),
  },
});

/** @param {Distance} distance @param {string} [what] @returns {string} `2 ms (± 10 %)` */
const lengthText = ({ rttMs, jitterPercent }, what = '') =>
  `${rttMs < 1000 ? rttMs : whole(rttMs)} ms${what}${jitterPercent > 0 ? ` (± ${jitterPercent} %)` : ''}`;

/** Null without a relay, as its jitter. */
const rtt = defineAxis({
  id: 'rtt',
  role: 'condition',
  of: ({ distance }) => distance?.rttMs ?? null,
  asked: ({ rtt: asked, jitter: jitterPercent = 0 }) =>
    asked.map((each) => {
      if (each === 0) return {};
      return { distance: each === 'relay' ? { rttMs: 0, jitterPercent: 0 } : { rttMs: each, jitterPercent } };
    }),
  // The relay moves with its connections open.
  phrase({ distance }) {
    if (distance === undefined) return '';
    return distance.rttMs === 0 ? 'relay without delay' : lengthText(distance, ' round trip');
  },
  idPart: ({ distance }) => (distance ? `rtt-${distance.rttMs === 0 ? 'relay' : `${distance.rttMs}ms`}` : ''),
  usual: 'no added distance',
  columns: { rttMs: (cell) => rtt.of(cell) },
  notMeasured: {
    what: 'round trips',
    other({ distance }) {
      if (distance === undefined) return "the server's own";
      return distance.rttMs === 0 ? "the relay's own" : lengthText(distance);
    },
  },
});

/** @type {Axis} */
const jitter = {
  id: 'jitter',
  role: 'condition',
  of: ({ distance }) => distance?.jitterPercent || null,
  idPart: ({ distance }) => (distance?.jitterPercent ? `jitter-${distance.jitterPercent}%` : ''),
  idGlue: ' ',
  row: ({ distance }) => (distance?.jitterPercent ? `± ${distance.jitterPercent} %` : ''),
  columns: { jitterPercent: (cell) => jitter.of(cell) },
};

export const SITUATION_AXES = [tasks, appWork, rtt, jitter];

/** The load of an open loop; null in a closed one. */

/** The steps of a search give one answer, the highest sustained rate, and so are in one group. */
export const step = defineAxis({
  id: 'step',
  role: 'repetition',
  of: ({ openLoop }) => (openLoop?.search ? openLoop.ratePerSecond : null),
  phrase: ({ openLoop }) => (openLoop?.search ? `${whole(openLoop.ratePerSecond)}/s` : ''),
  idPart: ({ openLoop }) => (openLoop?.search ? `${openLoop.ratePerSecond}/s` : ''),
  columns: {},
});

const rate = defineAxis({
  id: 'rate',
  role: 'condition',
  of: (cell) => ratesOf(cell)?.join('-') ?? null,
  phrase: (cell) => (ratesOf(cell) ? `${ratesText(cell)}/s` : ''),
  idPart: (cell) => (ratesOf(cell) ? `${ratesOf(cell)?.join('-')}/s` : ''),
  title: (cell) =>
    cell.openLoop && ratesOf(cell) ? `${ratesText(cell)}/s (${ARRIVALS[cell.openLoop.arrivals]})` : '',
  columns: { ratePerSecond: ({ openLoop }) => openLoop?.ratePerSecond },
  notMeasured: { what: 'rates' },
});

/** @type {Record<OpenLoopPlan['arrivals'], string>} */
const ARRIVALS = {
  even: 'open loop',
  poisson: 'open loop, at random',
  recorded: 'open loop, times as recorded, scaled',
};

/** @type {Axis} */
const speed = {
  id: 'speed',
  role: 'condition',
  of: ({ openLoop }) => openLoop?.speed ?? null,
  idPart: ({ openLoop }) => (openLoop?.speed === undefined ? '' : `${openLoop.speed}x speed`),
  row: ({ openLoop }) => (openLoop?.speed === undefined ? '' : `at ${openLoop.speed}x the recorded speed`),
  title: ({ openLoop }) => (openLoop?.speed === undefined ? '' : speedText(openLoop)),
  notMeasured: { what: 'speeds', other: () => '' },
};

/** @param {OpenLoopPlan} load */
const speedText = ({ speed, ratePerSecond }) =>
  `${speed === 1 ? 'as fast as recorded' : `${speed}x as fast as recorded`} (open loop, about ${whole(ratePerSecond)}/s)`;

/** @type {Axis} */
const arrivals = {
  id: 'arrivals',
  role: 'condition',
  of: ({ openLoop }) => openLoop?.arrivals ?? null,
  idPart: ({ openLoop }) => openLoop?.arrivals ?? '',
  idGlue: ' ',
  row: ({ openLoop }) => openLoop?.arrivals ?? '',
};

/** All cells of a benchmark share it: in no id, so that it splits no group. @type {Axis} */
const whenFull = {
  id: 'whenFull',
  role: 'condition',
  of: ({ openLoop }) => openLoop?.whenFull ?? null,
  idPart: () => '',
  row: ({ openLoop }) => (openLoop ? `when full: ${openLoop.whenFull}` : ''),
};

/** A choice in the scenario `bounded`; elsewhere all cells share it, so it is in no id. @type {Axis} */
const bound = {
  id: 'bound',
  role: 'condition',
  of: ({ openLoop, scenarioOptions }) =>
    scenarioOptions?.maxInFlight === undefined ? (openLoop?.maxInFlight ?? null) : null,
  idPart: () => '',
  // It distinguishes no cells.
  row: () => '',
  columns: { maxInFlight: ({ openLoop }) => openLoop?.maxInFlight },
};

/** @param {AxisCell} cell @returns {number[] | null} null for recorded rates and closed loops */
const ratesOf = ({ openLoop }) =>
  openLoop && openLoop.speed === undefined ? (openLoop.search ?? [openLoop.ratePerSecond]) : null;

/** @param {AxisCell} cell */
const ratesText = (cell) => (ratesOf(cell) ?? []).map(whole).join(' to ');

export const LOAD_AXES = [rate, speed, arrivals, whenFull, bound];
