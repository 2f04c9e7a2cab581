/** Ratios nearer to 1 than this are nothing to warn of: machines drift as much from minute to minute. */
const NOTABLE = 0.05;
/** Two cells move the same way by chance every other time. */
const FEWEST_CELLS = 3;

/**
 * Signs that it was the machine that changed between two reports, rather than what was measured: the
 * tests know how much runs vary within a report, not how much a machine does from one to the next.
 *
 * @param {{name: string, ratio: number, floor: boolean}[]} cells
 * @param {number} geometricMean of their ratios
 * @returns {string[]} warnings
 */
export function driftWarnings(cells, geometricMean) {
  const floor = cells.find((cell) => cell.floor && Math.abs(Math.log(cell.ratio)) >= NOTABLE);
  if (floor) {
    return [
      `"${floor.name}", this tool's own client, changed by ${floor.ratio.toFixed(2)}x too: that much may be the machine's doing`,
    ];
  }
  const sameWay = cells.every(({ ratio }) => ratio > 1 === geometricMean > 1);
  if (cells.length < FEWEST_CELLS || !sameWay || Math.abs(Math.log(geometricMean)) < NOTABLE) return [];
  return [
    `all ${cells.length} cells moved the same way, by ${geometricMean.toFixed(2)}x on average: that may be the machine; measure again, or hold them against each other in one benchmark, where they take turns`,
  ];
}
