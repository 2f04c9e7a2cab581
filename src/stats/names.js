/**
 * Names for the cells of one group, as short as tells them apart: the client and its variant, the
 * scenario, and of the other axes those that differ within the group.
 *
 * @param {(import('../types.js').CellPoint & {id: string})[]} cells
 * @returns {Map<string, string>} by cell id
 */
export function nameCells(cells) {
  const varying = /** @type {const} */ (['node', 'pipelining', 'transport', 'pin']).filter(
    (axis) => new Set(cells.map((cell) => cell[axis])).size > 1,
  );
  return new Map(
    cells.map((cell) => [
      cell.id,
      [
        clientName(cell),
        cell.scenario.replaceAll('-', ' '),
        ...varying.map((axis) => (axis === 'node' ? `Node ${cell.node}` : cell[axis])),
      ].join(', '),
    ]),
  );
}

/**
 * @param {Pick<import('../types.js').CellPoint, 'client' | 'version' | 'variant' | 'copy'>} cell
 * @returns {string} `redis`, `redis@5.8.3:tuned`; `redis #2` where a client is compared with itself
 */
export const clientName = ({ client, version, variant, copy }) =>
  `${client}${version ? `@${version}` : ''}${variant === 'default' ? '' : `:${variant}`}${copy > 1 ? ` #${copy}` : ''}`;
