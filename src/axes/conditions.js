import { askedDuration, count, whole } from '../numbers.js';
import { defineAxis } from './define.js';

/** @import { OpenLoopPlan } from '../run/plan/types.js' */
/** @import { Distance } from '../relay/types.js' */
/** @import { AxisCell } from './types.js' */

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
  notMeasured: 'numbers of processes',
  otherThan: (cell) => (cell.processes > 1 ? whole(cell.processes) : ''),
});

export const machines = defineAxis({
  id: 'machines',
  role: 'condition',
  asked: (settings) => settings.machines?.map((each) => ({ machines: each })) ?? [{}],
  phrase: ({ machines: number }) => (number === undefined ? '' : count(number, 'machine')),
  title: (cell) => (cell.machines === undefined ? '' : `from ${machines.row(cell)}`),
  titledLast: true,
  notMeasured: 'numbers of machines',
  otherThan: (cell) => (cell.machines === undefined ? '' : whole(cell.machines)),
});

export const tasks = defineAxis({
  id: 'tasks',
  role: 'condition',
  noun: 'number of tasks',
  asked: (settings) => settings.tasks.map((each) => ({ tasks: each })),
  phrase: (cell) => count(cell.tasks, 'task'),
  idPart: (cell) => String(cell.tasks),
  notMeasured: 'numbers of tasks',
  otherThan: (cell) => whole(cell.tasks),
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
  notMeasured: 'amounts of app work',
  otherThan: (cell) => (cell.appWorkUs ? askedDuration(cell.appWorkUs) : ''),
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
  notMeasured: 'round trips',
  otherThan({ distance }) {
    if (distance === undefined) return "the server's own";
    return distance.rttMs === 0 ? "the relay's own" : lengthText(distance);
  },
});

const jitter = defineAxis({
  id: 'jitter',
  role: 'condition',
  of: ({ distance }) => distance?.jitterPercent || null,
  phrase: (cell) => (jitter.of(cell) ? `± ${jitter.of(cell)} %` : ''),
  idPart: (cell) => (jitter.of(cell) ? `jitter-${jitter.of(cell)}%` : ''),
  idGlue: ' ',
  title: undefined,
  columns: { jitterPercent: (cell) => jitter.of(cell) },
});

export const SITUATION_AXES = [tasks, appWork, rtt, jitter];

/** The load of an open loop; null in a closed one. */

/** The steps of a search give one answer, the highest sustained rate, and so are in one group. */
export const step = defineAxis({
  id: 'step',
  role: 'repetition',
  of: ({ openLoop }) => (openLoop?.search ? openLoop.ratePerSecond : null),
  phrase: ({ openLoop }) => (openLoop?.search ? `${whole(openLoop.ratePerSecond)}/s` : ''),
  idPart: (cell) => (step.of(cell) ? `${step.of(cell)}/s` : ''),
  columns: {},
});

const rate = defineAxis({
  id: 'rate',
  role: 'condition',
  of: (cell) => ratesOf(cell)?.join('-') ?? null,
  phrase: (cell) => (ratesOf(cell) ? `${ratesText(cell)}/s` : ''),
  idPart: (cell) => (rate.of(cell) ? `${rate.of(cell)}/s` : ''),
  title: (cell) =>
    cell.openLoop && ratesOf(cell) ? `${ratesText(cell)}/s (${ARRIVALS[cell.openLoop.arrivals]})` : '',
  columns: { ratePerSecond: ({ openLoop }) => openLoop?.ratePerSecond },
  notMeasured: 'rates',
});

/** @type {Record<OpenLoopPlan['arrivals'], string>} */
const ARRIVALS = {
  even: 'open loop',
  poisson: 'open loop, at random',
  recorded: 'open loop, times as recorded, scaled',
};

const speed = defineAxis({
  id: 'speed',
  role: 'condition',
  of: ({ openLoop }) => openLoop?.speed ?? null,
  phrase: (cell) => (speed.of(cell) ? `at ${speed.of(cell)}x the recorded speed` : ''),
  idPart: (cell) => (speed.of(cell) ? `${speed.of(cell)}x speed` : ''),
  title({ openLoop }) {
    if (openLoop?.speed === undefined) return '';
    const times = openLoop.speed === 1 ? '' : `${openLoop.speed}x `;
    return `${times}as fast as recorded (open loop, about ${whole(openLoop.ratePerSecond)}/s)`;
  },
  notMeasured: 'speeds',
  otherThan: () => '',
});

const arrivals = defineAxis({
  id: 'arrivals',
  role: 'condition',
  of: ({ openLoop }) => openLoop?.arrivals ?? null,
  phrase: ({ openLoop }) => openLoop?.arrivals ?? '',
  idGlue: ' ',
  title: undefined,
});

/** All cells of a benchmark share it: in no id, so that it splits no group. */
const whenFull = defineAxis({
  id: 'whenFull',
  role: 'condition',
  of: ({ openLoop }) => openLoop?.whenFull ?? null,
  phrase: () => '',
  title: undefined,
});

/** A choice in the scenario `bounded`; elsewhere all cells share it, so it is in no id. */
const bound = defineAxis({
  id: 'bound',
  role: 'condition',
  of: ({ openLoop, scenarioOptions }) =>
    scenarioOptions?.maxInFlight === undefined ? (openLoop?.maxInFlight ?? null) : null,
  phrase: () => '',
  title: undefined,
  columns: { maxInFlight: ({ openLoop }) => openLoop?.maxInFlight },
});

/** @param {AxisCell} cell @returns {number[] | null} null for recorded rates and closed loops */
const ratesOf = ({ openLoop }) =>
  openLoop && openLoop.speed === undefined ? (openLoop.search ?? [openLoop.ratePerSecond]) : null;

/** @param {AxisCell} cell */
const ratesText = (cell) => (ratesOf(cell) ?? []).map(whole).join(' to ');

export const LOAD_AXES = [rate, speed, arrivals, whenFull, bound];
