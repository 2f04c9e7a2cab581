/** @import { CodePart } from '../../../worker/types.js' */

/**
 * The parts of a profile in the order in which they stand in a bar, the client's own first.
 *
 * @type {Record<CodePart, string>}
 */
export const CODE_COLOURS = {
  package: 'var(--line-1)',
  node: 'var(--line-3)',
  native: 'var(--line-4)',
  poll: 'var(--mark)',
  garbage: 'var(--line-2)',
  application: 'var(--line-5)',
  tool: 'var(--muted)',
  other: 'var(--faint)',
  server: 'var(--line-1)',
  library: 'var(--line-3)',
  kernel: 'var(--line-4)',
};

export const CODE_PARTS = /** @type {CodePart[]} */ (Object.keys(CODE_COLOURS));
