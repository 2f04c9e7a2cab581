import { whole } from '../core/numbers.js';
import { defineAxis } from './define.js';

/** @import { OpenLoopPlan } from '../core/plan/types.js' */
/** @import { Axis, AxisCell } from './types.js' */

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
  notMeasured: {
    what: 'rates',
  },
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
  notMeasured: {
    what: 'speeds',
    other: () => '',
  },
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
