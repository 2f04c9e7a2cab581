import * as v from 'valibot';
import { list, overZero } from '../schema.js';
import { FIGURES_OF_COST, FIGURES_OF_WORK } from '../store/figures.js';
import { AGENT_FACTS } from './agents/facts.js';
import { FAULT_PLAN, FAULT_RUN, FIGURES as OF_FAULTS } from './break/figures.js';
import { FIGURES as OF_BREAKDOWNS, PASS as PASS_OF_BREAKDOWNS } from './breakdown/figures.js';
import { FIGURES as OF_COLD_STARTS } from './cold/figures.js';

/** @import { ObjectEntries } from 'valibot' */

/** What commands add to what is stored: the ground knows this list, and none of the commands. */

/** The figures of all by their ids, in the order of columns. */
export const FIGURES = {
  ...FIGURES_OF_WORK,
  ...OF_FAULTS,
  ...FIGURES_OF_COST,
  ...OF_COLD_STARTS,
  ...OF_BREAKDOWNS,
};

export const HEADER_ENTRIES = { agents: v.optional(list(AGENT_FACTS)) };
/** Of passes after the runs of a cell. */
export const PASS_ENTRIES = PASS_OF_BREAKDOWNS;
export const CELL_ENTRIES = { fault: v.optional(FAULT_PLAN), idleMs: v.optional(overZero) };
/**
 * Parts of runs, with what they store besides their figures. In summaries, `isAlways` is null where no run has it.
 * @type {Record<string, {entries: ObjectEntries, isAlways?: boolean}>}
 */
export const PARTS = { fault: { entries: FAULT_RUN, isAlways: true }, cold: { entries: {} } };
