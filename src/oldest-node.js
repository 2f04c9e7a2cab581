/** Same as `engines` in package.json. Loaded before the rest, so an older Node must be able to read it. */
export const OLDEST_NODE = '20.19.0';

/** @param {string} version such as `18.20.4` @returns {boolean} */
export function isTooOld(version) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
