const UNITS = { '': 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9 };

/**
 * @param {unknown} value `500`, `100kb`, `1.5 MB`
 * @returns {number | null} whole bytes; null where it is something else, or less than one
 */
export function byteSize(value) {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s?([a-z]*)$/.exec(String(value).toLowerCase()) ?? [];
  const bytes = Math.floor(Number(number) * UNITS[/** @type {keyof typeof UNITS} */ (unit)]);
  return bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER ? bytes : null;
}
