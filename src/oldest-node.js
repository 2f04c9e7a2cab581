/** Same as `engines` in package.json. Loaded before the rest, so an older Node must be able to read it. */
export const OLDEST_NODE = '20.19.0';

/** @param {string} version such as `18.20.4` @returns {boolean} */
export function isTooOld(version) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/** 64 of the tool itself, and four for each of 32 workers. With fewer, even its own modules may not be loaded. */
export const FEWEST_FILES = 192;

/** @param {string} limits of /proc/self/limits; empty where there is none @returns {number} open files that this process may have */
export function allowedFiles(limits) {
  const found = /^Max open files\s+(\d+)/m.exec(limits);
  return found === null ? Number.POSITIVE_INFINITY : Number(found[1]);
}
