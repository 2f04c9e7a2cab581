import { messageOf } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { installedPackages } from '../machine/releases/manifest.js';
import { loadPlugins } from '../plugins/registry.js';
import { listed } from '../report/words/origin-facts.js';
import { benchmark } from './benchmark.js';
import { checkSystem, finding, noiseFloor, waits } from './system-checks.js';

/** @import * as api from '../api.js' */

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
    return [...findings, finding('server', named, null), ...waits(cells), noiseFloor(cells)];
  } catch (error) {
    return [...findings, finding('server', 'none', messageOf(error))];
  }
}

const node = () =>
  finding('versions', `redis-pipe-bench ${describeTool().version}, Node ${process.versions.node}`, null);

async function packages() {
  const names = [...(await loadPlugins('clients')).values()].flatMap((client) => client.package ?? []);
  const installed = installedPackages(names);
  const missing = names.filter((name) => !(name in installed));
  return finding(
    'clients',
    listed(Object.entries(installed)),
    missing.length === 0 ? null : `to measure more of them: npm install ${missing.join(' ')}`,
  );
}
