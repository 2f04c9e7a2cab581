/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'cache',
  summary: 'list or clear the client releases that benchmarks have installed',
  commands: [
    {
      name: 'list',
      summary: 'the installed releases and their sizes',
      run: async (_options, { stdout }) => void stdout.write(await list()),
    },
    {
      name: 'clear',
      summary: 'remove all of them',
      run: async (_options, { stdout }) => void stdout.write(await clear()),
    },
  ],
};

async function list() {
  const { cachedReleases } = await import('../../core/machine/releases/installed.js');
  const { folder, releases } = await cachedReleases();
  if (releases.length === 0) return `no release of a client is kept in ${folder}\n`;
  const width = Math.max(...releases.map(({ release }) => release.length));
  const lines = releases.map(
    ({ release, bytes }) => `  ${release.padEnd(width)}  ${megabytes(bytes).padStart(8)}`,
  );
  return `${folder}\n${lines.join('\n')}\n`;
}

async function clear() {
  const { clearReleases } = await import('../../core/machine/releases/installed.js');
  const { folder, releases } = await clearReleases();
  const bytes = releases.reduce((sum, release) => sum + release.bytes, 0);
  return `removed ${releases.length} ${releases.length === 1 ? 'release' : 'releases'} (${megabytes(bytes)}) from ${folder}\n`;
}

/** @param {number} bytes */
const megabytes = (bytes) =>
  `${bytes < 1e7 ? (bytes / 1e6).toFixed(1) : Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
