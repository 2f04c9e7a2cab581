import { once } from 'node:events';
import { connect } from 'node:net';
import { startRelay } from '../../src/relay/relay.js';
import { startTcpServer } from './tcp-server.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Distance } from '../../src/relay/types.js'
 */

/**
 * A relay in this process, before a server that behaves as the test says.
 *
 * @param {{rttMs?: number, jitterPercent?: number}} distance
 * @param {(socket: Socket) => void} onConnection
 */
export async function startRelayed({ rttMs = 0, jitterPercent = 0 }, onConnection) {
  const server = await startTcpServer(onConnection);
  const relay = await startRelay({
    upstreams: [{ host: '127.0.0.1', port: server.port }],
    distance: { rttMs, jitterPercent },
    seed: 1,
  });
  /** @type {Socket[]} */
  const sockets = [];
  return {
    ...relay,
    takeFigures: () => /** @type {NonNullable<typeof relay.delay>} */ (relay.delay).takeFigures(),
    move: (/** @type {Distance} */ distance) => relay.delay?.move(distance),
    server,

    /** @returns {Promise<Socket>} connected, through the relay */
    async connect() {
      const socket = connect({
        port: relay.ports[0],
        host: '127.0.0.1',
        noDelay: true,
        allowHalfOpen: true,
      });
      sockets.push(socket);
      await once(socket, 'connect');
      return socket;
    },

    async stop() {
      for (const socket of sockets) socket.destroy();
      await relay.close();
      await server.stop();
    },
  };
}
