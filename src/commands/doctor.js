import { messageOf } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { installedPackages } from '../machine/releases/manifest.js';
import { loadPlugins } from '../plugins/registry.js';
import { benchmark } from './benchmark.js';
import { checkSystem, noiseFloor, waits } from './system-checks.js';

/** @import * as api from '../api.js' */
/** @import { Check } from './types.js' */

/** Enough runs for a noise figure, within a few seconds. */
const NOISE_RUN = {
  clients: ['redis:tuned', 'redis:tuned'],
  scenarios: ['shared-connection'],
  runs: 10,
  starts: 2,
  runTimeMs: 100,
  profile: false,
};

/** @type {typeof api.doctor} */
export async function doctor(given = {}, { urlOrigin } = {}) {
  const findings = [node(), await packages(), ...(await checkSystem())];
  try {
    const { server, cells } = await benchmark({ ...NOISE_RUN, ...given }, { urlOrigin });
    const named = `${server.kind} ${server.software} ${server.version ?? 'of unknown version'}`;
    const reached = { title: 'server', found: named, ok: true, advice: null };
    return [...findings, reached, ...waits(cells), noiseFloor(cells)];
  } catch (error) {
    return [...findings, { title: 'server', found: 'none', ok: false, advice: messageOf(error) }];
  }
}

/** @returns {Check} */
const node = () => ({
  title: 'versions',
  found: `redis-pipe-bench ${describeTool().version}, Node ${process.versions.node}`,
  ok: true,
  advice: null,
});

/** @returns {Promise<Check>} */
async function packages() {
  const names = [...(await loadPlugins('clients')).values()].flatMap((client) => client.package ?? []);
  const installed = installedPackages(names);
  const missing = names.filter((name) => !(name in installed));
  return {
    title: 'clients',
    found: Object.entries(installed)
      .map((entry) => entry.join(' '))
      .join(', '),
    ok: missing.length === 0,
    advice: missing.length === 0 ? null : `to measure more of them: npm install ${missing.join(' ')}`,
  };
}
