import { once } from 'node:events';
import { connect, createServer, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { startRecording } from '../traffic/recording.js';
import { reset } from './direction.js';

/**
 * @import { AddressInfo, Socket } from 'node:net'
 * @import { Conversation, EndReason } from '../traffic/types.js'
 * @import { TapJob, TapState } from './types.js'
 */

/**
 * Listens for a service and passes its connections on to its server, byte by byte as they come; what has been passed
 * on is then recorded. Whatever becomes of the recording, connections go on.
 *
 * @param {TapJob} job
 */
export async function startTap({ upstream, listen, file, header }) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  /** @type {Map<Socket, Conversation>} by the service's end */
  const conversations = new Map();
  /** @type {string | null} */
  let failure = null;
  /** @type {EndReason | null} */
  let ended = null;
  const server = createServer({ noDelay: true, allowHalfOpen: true }, join);
  await once(server.listen(listen.port, listen.host), 'listening');
  const recording = startRecording({
    file,
    header,
    onFailure(message) {
      failure = message;
      void end('full');
    },
    onMost: (reason) => void end(reason),
  });

  /** @param {Socket} service */
  function join(service) {
    const origin = connectTo(upstream);
    const conversation = ended === null ? recording.converse() : null;
    if (conversation !== null) conversations.set(service, conversation);
    pass(service, origin, (bytes) => conversations.get(service)?.fromService(bytes));
    pass(origin, service, (bytes) => conversations.get(service)?.fromServer(bytes));
    for (const socket of [service, origin]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    service.once('close', () => {
      conversations.get(service)?.close();
      conversations.delete(service);
    });
  }

  /** @param {EndReason} reason */
  async function end(reason) {
    if (ended !== null) return;
    ended = reason;
    for (const conversation of conversations.values()) conversation.close();
    conversations.clear();
    await recording.end(reason);
  }

  return {
    address: /** @type {AddressInfo} */ (server.address()),

    /** @returns {TapState} */
    state: () => ({ ...recording.figures(), open: sockets.size / 2, failure, ended }),

    /** Ends the recording, and then the relay with all connections. @param {EndReason} reason */
    async stop(reason) {
      server.close();
      await end(reason);
      const state = this.state();
      for (const socket of sockets) socket.destroy();
      return state;
    },
  };
}

/** @param {TapJob['upstream']} upstream @returns {Socket} */
function connectTo({ path, host, port, tls }) {
  const common = { noDelay: true, allowHalfOpen: true };
  if (path !== undefined) return connect({ path, ...common });
  if (tls === undefined) return connect({ host, port: Number(port), ...common });
  // Not for a bare address: RFC 6066, section 3.
  const servername = host !== undefined && isIP(host) === 0 ? host : undefined;
  return connectTls({ host, port, servername, ...tls, ...common });
}

/**
 * @param {Socket} source
 * @param {Socket} sink
 * @param {(bytes: Buffer) => void} tell told of bytes that were passed on
 */
function pass(source, sink, tell) {
  source.on('data', (/** @type {Buffer} */ bytes) => {
    if (!sink.write(bytes)) source.pause();
    tell(bytes);
  });
  sink.on('drain', () => source.resume());
  source.on('end', () => sink.end());
  source.on('error', () => reset(sink));
  source.on('close', () => sink.destroySoon());
}
