import { FIGURES_OF_COST, FIGURES_OF_WORK } from '../store/figures.js';
import { FIGURES as OF_FAULTS } from './break/figures.js';
import { FIGURES as OF_COLD_STARTS } from './cold/figures.js';

/** The figures of all commands by their ids, in the order of columns. */
export const FIGURES = { ...FIGURES_OF_WORK, ...OF_FAULTS, ...FIGURES_OF_COST, ...OF_COLD_STARTS };
