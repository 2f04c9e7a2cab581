// Starts a managed cluster, prints its nodes, and waits to be killed.
import { dirname } from 'node:path';
import { startServers } from '../../src/server/open.js';
import { locateServer } from '../../src/server/sources.js';

const { nodes } = await startServers(await locateServer(), { size: 3, cluster: true });
const started = nodes.map(async ({ control, targets }) => ({
  pid: Number((await control.info())?.fields.process_id),
  folder: dirname(String(targets.unix.path)),
}));
process.stdout.write(JSON.stringify(await Promise.all(started)));
