import { axisX, axisY, gridX, gridY } from '@observablehq/plot';

const GRID = { stroke: 'var(--rule)', strokeOpacity: 1 };

/**
 * Both axes of a chart; each tick has a text and a line across the chart.
 *
 * @param {{ticks: number[], text: (value: number) => string}} x
 * @param {{ticks: number[], text: (value: number) => string}} y
 */
export const axes = (x, y) => [
  gridX(x.ticks, GRID),
  gridY(y.ticks, GRID),
  axisX(x.ticks, { text: x.text, label: null, tickSize: 0 }),
  axisY(y.ticks, { text: y.text, label: null, tickSize: 0 }),
];
