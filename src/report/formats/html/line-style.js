const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '4 4'];

/** Lines that can be told apart in one chart. */
export const MOST_LINES = DASHES.length;

/**
 * Lines are told apart by their dashes, not by colour alone.
 *
 * @param {number} style from 0 to the number of lines in a chart
 */
export const lineStyle = (style) => ({ color: `var(--line-${style + 1})`, dash: DASHES[style] });
