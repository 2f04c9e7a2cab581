import { micro, percent } from '../../core/report/figures.js';
import { lockstepOf, mostInFlight } from '../judge/costs.js';
import { about } from './about.js';
import { defineFinding } from './define.js';

/** @import { Summary } from '../judge/types.js' */
/** @import { MeasuredCell } from '../judge/compare-group.js' */

/** What limits the fastest cell of each group. */
export default defineFinding({
  id: 'limit',
  place: 'details',
  find: ({ decided }) => decided.map(({ ranked: [fastest] }) => limitOf(fastest)),

  say(found, { name }) {
    const cell = name(found.cell);
    const { limit, sharedCore, clientBusyShare, serverBusyShare, busiest } = found;
    const [client, server] = [percent(clientBusyShare), percent(serverBusyShare)];
    const [clientCpu, serverCpu] = [micro(found.clientCpuUsPerOp), micro(found.serverCpuUsPerCommand)];
    switch (limit) {
      case 'client':
        return sharedCore
          ? `${cell} is limited by the client: ${percent(found.clientCpuShare)} of the CPU that it shares with the server, ${clientCpu} per operation.`
          : `${cell} is limited by the client: ${client} busy, ${clientCpu} of CPU per operation.`;
      case 'application':
        return `${cell} is limited by the application's own work: ${percent(found.appBusyShare)} of the time, ${micro(found.appWorkUsPerOp)} per operation.`;
      case 'server':
        return sharedCore
          ? `${cell} is limited by the server: ${server} of the CPU that it shares with the client, ${serverCpu} per command.`
          : `${cell} is limited by the server: ${BUSIEST[busiest]} ${server} busy, ${serverCpu} of CPU per command.`;
      case 'round-trips':
        return found.inStep === null
          ? `${cell} is limited by round trips: client ${client} busy, server ${server}.`
          : `${cell} is limited by round trips, as its ${found.inStep.tasks} tasks run in lockstep: client ${client} busy, server ${server}.`;
      case 'processor':
        return found.waitedShare === null
          ? `${cell} shares its CPU with other processes and keeps it ${client} busy, so its real limit is unknown.`
          : `${cell} was starved of CPU ${percent(found.waitedShare)} of the time, so its real limit is unknown.`;
      default:
        if (found.serverThreads !== undefined)
          return `${cell} shows no clear limit: client ${client} busy, the server's main thread ${server}, all its threads ${found.serverThreads.toFixed(1)} CPUs.`;
        return serverBusyShare === null
          ? `${cell} shows no clear limit: client ${client} busy, and the server does not report its CPU.`
          : `${cell} shows no clear limit: client ${percent(found.clientCpuShare)} and server ${server} of the CPU that they share.`;
    }
  },
});

/** What of a server is busy. */
const BUSIEST = {
  'main-thread': 'its main thread',
  node: 'its busiest node',
  processor: 'the processor that its nodes share',
};

/** @param {MeasuredCell} cell */
function limitOf(cell) {
  const { bottleneck, client, server, latency } = cell.summary;
  return {
    ...about([cell], cell.group),
    cell: cell.id,
    limit: bottleneck.limit,
    sharedCore: bottleneck.sharedCore,
    ...sharesOf(cell.summary),
    clientCpuShare: bottleneck.clientCpu,
    clientCpuUsPerOp: client.cpuUsPerOp,
    appWorkUsPerOp: client.appWorkUsPerOp ?? null,
    serverCpuUsPerCommand: server.cpuUsPerCommand,
    busiest: busiestOf(cell),
    underWayAtMost: mostInFlight(cell),
    p50Us: latency?.p50Us ?? null,
    inStep: bottleneck.limit === 'round-trips' ? lockstepOf(cell) : null,
  };
}

/** @param {Summary} summary */
export const sharesOf = ({ bottleneck: { clientBusy, appBusy, serverBusy, serverThreads }, waits }) => ({
  clientBusyShare: clientBusy,
  appBusyShare: appBusy,
  serverBusyShare: serverBusy,
  ...(serverThreads !== undefined && { serverThreads }),
  waitedShare: waits?.waitedShare ?? null,
});

/** @param {MeasuredCell} cell @returns {keyof typeof BUSIEST} */
function busiestOf({ topology, summary: { server, bottleneck } }) {
  if (topology !== 'cluster') return 'main-thread';
  return Number(bottleneck.serverBusy) > Number(server.busiestNodeUtilization) ? 'processor' : 'node';
}
