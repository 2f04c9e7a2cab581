/**
 * @template {Record<string, readonly any[]>} Axes
 * @param {Axes} axes
 * @returns {{[Name in keyof Axes]: Axes[Name][number]}[]} the last axis varies fastest
 */
export function product(axes) {
  return /** @type {any} */ (
    Object.entries(axes).reduce(
      (points, [name, values]) =>
        points.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
      [{}],
    )
  );
}
