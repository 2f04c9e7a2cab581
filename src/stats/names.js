/**
 * Names for the cells of one group, as short as tells them apart: the client and its variant, the
 * scenario, and of the other axes those that differ within the group.
 *
 * @param {(import('../types.js').CellPoint & {id: string})[]} cells
 * @returns {Map<string, string>} by cell id
 */
export function nameCells(cells) {
  const varying = /** @type {const} */ (['pipelining', 'transport']).filter(
    (axis) => new Set(cells.map((cell) => cell[axis])).size > 1,
  );
  return new Map(
    cells.map((cell) => [
      cell.id,
      [
        cell.variant === 'default' ? cell.client : `${cell.client}:${cell.variant}`,
        cell.scenario.replaceAll('-', ' '),
        ...varying.map((axis) => cell[axis]),
      ].join(', '),
    ]),
  );
}
