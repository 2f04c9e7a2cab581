import { whole } from './number-words.js';

/**
 * @import { OpenLoopPlan } from '../plan/types.js'
 * @import { Axis } from './types.js'
 */

/** The load of an open loop. All of these are null in a closed one. */

/**
 * A step of a search. All steps belong to the one answer that the search gives, the highest rate that is
 * held, and so stand in one group.
 *
 * @type {Axis}
 */
export const step = {
  id: 'step',
  role: 'repetition',
  of: ({ openLoop }) => (openLoop?.search ? openLoop.ratePerSecond : null),
  idPart: ({ openLoop }) => (openLoop?.search ? `${openLoop.ratePerSecond}/s` : ''),
  row: ({ openLoop }) => (openLoop?.search ? `${whole(openLoop.ratePerSecond)}/s` : ''),
  columns: {},
};

/** The rate, or the range of a search. @type {Axis} */
export const rate = {
  id: 'rate',
  role: 'condition',
  of: ({ openLoop }) => (openLoop ? ratesOf(openLoop).join('-') : null),
  idPart: ({ openLoop }) => (openLoop ? `${ratesOf(openLoop).join('-')}/s` : ''),
  row: ({ openLoop }) => (openLoop ? `${ratesOf(openLoop).map(whole).join(' to ')}/s` : ''),
  title: ({ openLoop }) =>
    openLoop ? `${ratesOf(openLoop).map(whole).join(' to ')} a second (${ARRIVALS[openLoop.arrivals]})` : '',
  columns: { ratePerSecond: ({ openLoop }) => openLoop?.ratePerSecond },
};

/** @type {Record<OpenLoopPlan['arrivals'], string>} */
const ARRIVALS = { even: 'open loop', poisson: 'open loop, at random' };

/** @type {Axis} */
export const arrivals = {
  id: 'arrivals',
  role: 'condition',
  of: ({ openLoop }) => openLoop?.arrivals ?? null,
  idPart: ({ openLoop }) => openLoop?.arrivals ?? '',
  idGlue: ' ',
  row: ({ openLoop }) => openLoop?.arrivals ?? '',
};

/** What a benchmark has one of, for all of its cells: in no id, so that it splits no group. @type {Axis} */
export const whenFull = {
  id: 'whenFull',
  role: 'condition',
  of: ({ openLoop }) => openLoop?.whenFull ?? null,
  idPart: () => '',
  row: ({ openLoop }) => (openLoop ? `when full: ${openLoop.whenFull}` : ''),
};

/**
 * The bound on what is under way. In the scenario `bounded` that is the scenario's own option, a choice;
 * elsewhere it is the same for all cells. So it is not part of ids.
 *
 * @type {Axis}
 */
export const bound = {
  id: 'bound',
  role: 'condition',
  of: ({ openLoop, scenarioOptions }) =>
    scenarioOptions?.maxInFlight === undefined ? (openLoop?.maxInFlight ?? null) : null,
  idPart: () => '',
  row: (cell) => (bound.of(cell) == null ? '' : `at most ${whole(Number(bound.of(cell)))} under way`),
  columns: { maxInFlight: ({ openLoop }) => openLoop?.maxInFlight },
};

/** @param {OpenLoopPlan} load */
const ratesOf = ({ search, ratePerSecond }) => search ?? [ratePerSecond];
