// @ts-ignore inferred from code: programs that use the package see any
import type { choiceRows } from './tables/choices-grid.js';

/** What to choose, as a row: what is best, and how far the others are behind it. */
export type ChoiceRow = ReturnType<typeof choiceRows>[number];
