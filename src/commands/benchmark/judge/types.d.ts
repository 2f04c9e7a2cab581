// @ts-ignore inferred from code: programs that use the package see any
import type { compareGroup } from './compare-group.js';

export type GroupComparison = ReturnType<typeof compareGroup>;

/** `test`: which was used, in words. */
export type Comparison = GroupComparison & { test: string };
