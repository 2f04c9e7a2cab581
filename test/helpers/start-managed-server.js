/** Starts a managed server, prints its process id and its folder, and waits to be killed. */
import { dirname } from 'node:path';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';

const server = await startManagedServer(await locateServer());
const info = await server.control.info();
const facts = { pid: Number(info?.fields.process_id), folder: dirname(String(server.targets.unix.path)) };
process.stdout.write(`${JSON.stringify(facts)}\n`);
