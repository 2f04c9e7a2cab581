import { masked } from '../secrets.js';

const DEEPEST = 4;

/**
 * A client's options as plain JSON for the results: functions become their names, secrets are masked,
 * undefined is left out.
 * @param {unknown} options @param {number} [depth] @returns {any}
 */
export function describeOptions(options, depth = 0) {
  if (typeof options === 'function') return `[function ${options.name || 'anonymous'}]`;
  if (typeof options === 'bigint' || typeof options === 'symbol') return String(options);
  if (typeof options !== 'object' || options === null) return options;
  if (Array.isArray(options)) return options.map((each) => describeOptions(masked('', each), depth + 1));
  const name = Object.getPrototypeOf(options)?.constructor?.name ?? 'Object';
  if (name !== 'Object' || depth === DEEPEST) return `[${name}]`;
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, describeOptions(masked(key, value), depth + 1)]),
  );
}
