const MEDIAN = Math.log10(2);

/**
 * Percentiles to name on an axis that gives each further nine the same room.
 *
 * @param {number} last nines at its end
 * @param {number} most how many nines fit
 * @returns {number[]} nines: 1 for 90 %, 2 for 99 %
 */
export function ninesTicks(last, most) {
  const stride = Math.max(1, Math.ceil(last / most));
  const nines = Array.from({ length: Math.floor(last / stride) }, (_, index) => (index + 1) * stride);
  return stride === 1 ? [MEDIAN, ...nines] : nines;
}

/** @param {number} nines @returns {string} the percentile: `50`, `90`, `99.9` */
export const ninesText = (nines) => `${Number((100 * (1 - 10 ** -nines)).toPrecision(10))}`;
