// Starts a managed cluster, prints its nodes, and waits to be killed.
import { dirname } from 'node:path';
import { startManagedCluster } from '../../src/server/cluster.js';
import { locateServer } from '../../src/server/locate.js';

const { nodes } = await startManagedCluster(await locateServer(), { size: 3 });
const started = nodes.map(async ({ control, targets }) => ({
  pid: Number((await control.info())?.fields.process_id),
  folder: dirname(String(targets.unix.path)),
}));
process.stdout.write(JSON.stringify(await Promise.all(started)));
