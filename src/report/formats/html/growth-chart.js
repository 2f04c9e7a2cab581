import { axisX, axisY, dot, gridY } from '@observablehq/plot';
import { nameCells } from '../../../axes/cell-names.js';
import { drawSvg, GRID, inFacets, linearAxis } from './svg.js';

/** @import { CellResult } from '../../../results/types.js' */

/** What each run left in memory. @param {CellResult[]} cells of one group @returns null where nobody looked */
export function growthChart(cells) {
  const names = nameCells(cells);
  const facets = cells
    .map(({ id, runs }) => ({ title: names.get(id) ?? id, points: pointsOf(runs) }))
    .filter(({ points }) => points.length > 1);
  if (facets.length === 0) return null;
  const most = Math.max(...facets.flatMap(({ points }) => points.map(({ mb }) => mb)));
  return inFacets(facets, ({ points }, width) =>
    drawSvg('Memory after garbage collection over time', {
      width,
      height: 170,
      marginLeft: 52,
      marginBottom: 24,
      marginRight: 18,
      x: { domain: [0, points[points.length - 1].minutes] },
      y: { domain: [0, most] },
      marks: [
        gridY({ ticks: 4, ...GRID }),
        dot(points, { x: 'minutes', y: 'mb', r: 1.5, fill: 'var(--accent)', stroke: null }),
        linearAxis(axisX, 5, 'min'),
        linearAxis(axisY, 4, 'MB'),
      ],
    }),
  );
}

/** @param {CellResult['runs']} runs one after the other */
function pointsOf(runs) {
  let minutes = 0;
  return runs.flatMap(({ elapsedMs, settled }) => {
    minutes += Number(elapsedMs) / 60_000;
    return settled?.heapBytes == null ? [] : { minutes, mb: settled.heapBytes / 1e6 };
  });
}
