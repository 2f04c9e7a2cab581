import { extent } from 'simple-statistics';

/** Where ticks may stand within a power of ten, the finest first. */
const MANTISSAS = [
  Array.from({ length: 90 }, (_, index) => 1 + index / 10),
  [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9],
  [1, 1.5, 2, 3, 5, 7],
  [1, 2, 5],
  [1, 3],
  [1],
];
/** A narrower range would show noise as if it were a difference. */
const LEAST_RATIO = 1.5;
const MARGIN = 1.05;

/** The range of a logarithmic axis. @param {number[]} values above 0 @returns {[low: number, high: number]} */
export function logDomain(values) {
  if (values.length === 0) return [1, 10];
  const [low, high] = extent(values);
  const missing = Math.sqrt(Math.max(1, LEAST_RATIO / (high / low))) * MARGIN;
  return [low / missing, high * missing];
}

/** @param {[low: number, high: number]} domain @param {number} most how many fit @returns {number[]} round values in ascending order */
export function logTicks([low, high], most) {
  // In a narrow range they stand unevenly: fewer than there is room for may cover each other.
  const least = (high / low) ** (0.75 / most);
  const fits = (/** @type {number[]} */ ticks) =>
    ticks.length <= most && ticks.every((tick, index) => index === 0 || tick / ticks[index - 1] >= least);
  for (let attempt = 0; ; attempt++) {
    const stride = Math.max(1, attempt - MANTISSAS.length + 2);
    const ticks = ticksAt(MANTISSAS[attempt] ?? [1], low, high, stride);
    if (fits(ticks)) return ticks;
  }
}

/** @param {number[]} mantissas @param {number} low @param {number} high @param {number} stride 2 for every other power of ten */
function ticksAt(mantissas, low, high, stride) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
    if (power % stride !== 0) continue;
    for (const mantissa of mantissas) {
      const tick = Number((mantissa * 10 ** power).toPrecision(3));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

/** @param {number} value @param {[low: number, high: number]} domain @returns {number} where it stands on the axis, from 0 to 1 */
export const logPosition = (value, [low, high]) => Math.log(value / low) / Math.log(high / low);

/** @param {[low: number, high: number]} domain @param {number} columns @returns {(value: number) => number} its column */
export const logColumns = (domain, columns) => (value) =>
  Math.round(logPosition(value, domain) * (columns - 1));

const MEDIAN = Math.log10(2);

/** @param {number} last nines at the end of the axis @param {number} most how many fit @returns {number[]} nines: 1 for 90 %, 2 for 99 % */
export function ninesTicks(last, most) {
  const stride = Math.max(1, Math.ceil(last / most));
  const nines = Array.from({ length: Math.floor(last / stride) }, (_, index) => (index + 1) * stride);
  return stride === 1 ? [MEDIAN, ...nines] : nines;
}

/** @param {number} nines @returns {string} the percentile: `50`, `90`, `99.9` */
export const ninesText = (nines) => `${Number((100 * (1 - 10 ** -nines)).toPrecision(10))}`;

/**
 * @typedef {{columns: number, columnOf: (value: number) => number, ticks: number[], text: (value: number) => string}} Axis of a terminal
 */

/** @param {Axis} axis @returns {[line: string, texts: string]} with the texts that do not run into the one before */
export function axisLines({ columns, columnOf, ticks, text }) {
  const line = Array(columns).fill('─');
  let texts = '';
  for (const tick of ticks) {
    const [column, own] = [columnOf(tick), text(tick)];
    line[column] = '┴';
    const start = Math.max(0, Math.min(column - Math.floor(own.length / 2), columns - own.length));
    if (texts.length === 0 || start > texts.length) texts = texts.padEnd(start) + own;
  }
  return [line.join(''), texts];
}
