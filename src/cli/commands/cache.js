import { cachedReleases, clearReleases } from '../../index.js';
import { whole } from '../../report/words/figures.js';

/**
 * @returns {Promise<string>} which releases of clients are kept, and where
 */
export async function listCacheCommand() {
  const { folder, releases } = await cachedReleases();
  if (releases.length === 0) return `no release of a client is kept in ${folder}\n`;
  const width = Math.max(...releases.map(({ release }) => release.length));
  const lines = releases.map(
    ({ release, bytes }) => `  ${release.padEnd(width)}  ${megabytes(bytes).padStart(8)}`,
  );
  return `${folder}\n${lines.join('\n')}\n`;
}

/**
 * @returns {Promise<string>} what was removed
 */
export async function clearCacheCommand() {
  const { folder, releases } = await clearReleases();
  const bytes = releases.reduce((sum, release) => sum + release.bytes, 0);
  return `removed ${releases.length} ${releases.length === 1 ? 'release' : 'releases'} (${megabytes(bytes)}) from ${folder}\n`;
}

/** @param {number} bytes */
const megabytes = (bytes) => `${bytes < 1e7 ? (bytes / 1e6).toFixed(1) : whole(bytes / 1e6)} MB`;
