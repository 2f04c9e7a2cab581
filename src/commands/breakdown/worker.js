import { present } from '../../collections.js';
import { CommandBatch } from '../../plugins/shared/connections.js';
import { MOST_OPERATIONS, onSharedClock } from './event-log.js';
import { findSockets } from './find-sockets.js';
import { watchSockets } from './watch-sockets.js';

/** @import { Commands, Item } from '../../plugins/types.js' */
/** @import { WorkerCell } from '../../worker/types.js' */
/** @import { SocketOf } from './find-sockets.js' */
/** @import { SeenInWorker } from './types.js' */

/** @typedef {NonNullable<ReturnType<NonNullable<WorkerCell['inside']>>>} Inside */

/**
 * Follows operations of a cell: when they are called, on which connection they send, and when the caller goes on. It takes the
 * place of functions that the loops call, so that those know nothing of it. Undefined for a client without sockets of Node.
 * @param {Inside} inside @param {() => void} stop once enough is known
 * @param {ReturnType<typeof watchSockets>} sockets
 * @param {boolean} isCluster
 */
async function follow({ items, steps, lease, connections }, stop, sockets, isCluster) {
  const startedAt = new Float64Array(MOST_OPERATIONS);
  const endedAt = new Float64Array(MOST_OPERATIONS);
  const calls = {
    operations: new Uint16Array(2 ** 16),
    sockets: new Uint16Array(2 ** 16),
    commands: new Uint32Array(2 ** 16),
    at: new Float64Array(2 ** 16),
    length: 0,
  };
  let operations = 0;
  let isBounded = false;
  /** When a connection was asked for, while its operations begin; 0 where none is borrowed. */
  let askedAtMs = 0;
  /** Commands of the latest call. */
  let commandsOfCall = 1;
  /** Of connections and of their batches. @type {WeakMap<object, SocketOf>} */
  const socketsOf = new WeakMap();
  /** @param {Commands} through @param {SocketOf} socketOf */
  function watch(through, socketOf) {
    socketsOf.set(through, socketOf);
    const transaction = through.transaction.bind(through);
    through.transaction = (commands) => {
      // With MULTI and EXEC.
      commandsOfCall = commands.length + 2;
      return transaction(commands);
    };
  }
  for (const [index, connection] of connections.entries()) {
    const prefix = isCluster ? items.keys()[0] : null;
    const socketOf = await findSockets(connection, sockets, `:breakdown:${index}:`, prefix);
    if (socketOf === null) return undefined;
    const batch = connection.batch?.bind(connection) ?? (() => new CommandBatch(connection));
    watch(connection, socketOf);
    connection.batch = () => {
      const opened = batch();
      watch(opened, socketOf);
      return opened;
    };
  }

  const next = items.next.bind(items);
  items.next = () => {
    if (operations === MOST_OPERATIONS && isBounded) {
      stop();
      return next();
    }
    // While it warms up.
    if (operations === MOST_OPERATIONS) begin();
    startedAt[operations] = askedAtMs || performance.now();
    return { ...next(), operation: operations++ };
  };
  if (lease.borrow) {
    const borrow = lease.borrow.bind(lease);
    lease.borrow = (use) => {
      const atMs = performance.now();
      let [from, to] = [0, 0];
      const done = borrow((connection) => {
        askedAtMs = atMs;
        from = operations;
        const used = use(connection);
        to = operations;
        askedAtMs = 0;
        return used;
      });
      // Giving the connection back is part of it.
      void done.then(
        () => endedAt.fill(performance.now(), from, to),
        () => {},
      );
      return done;
    };
  }
  for (const step of steps) {
    const { send, accept, waits = false, byHash = false } = step;
    step.send = (through, item) => {
      const { operation } = /** @type {Item & {operation?: number}} */ (item);
      const socket = present(socketsOf.get(through))(byHash ? item.hash : item.key);
      // It counts among no operations, however long it takes.
      if (waits && operation !== undefined) startedAt[operation] = Number.MAX_VALUE;
      const call = calls.length;
      const isFollowed = operation !== undefined && call < calls.at.length;
      if (isFollowed) {
        calls.operations[call] = operation;
        calls.sockets[call] = socket;
        calls.at[call] = performance.now();
        calls.length++;
      }
      commandsOfCall = 1;
      const reply = send.call(step, through, item);
      if (isFollowed) calls.commands[call] = commandsOfCall;
      sockets.expect(socket, commandsOfCall);
      return reply;
    };
    step.accept = (reply, item) => {
      const isRight = accept.call(step, reply, item);
      const { operation } = /** @type {Item & {operation?: number}} */ (item);
      if (operation !== undefined) endedAt[operation] = performance.now();
      return isRight;
    };
  }
  function begin() {
    operations = 0;
    calls.length = 0;
    endedAt.fill(0);
    sockets.begin();
  }
  return {
    begin() {
      isBounded = true;
      begin();
    },

    /** @returns {SeenInWorker[]} of this process, to be joined with those of others */
    take: () => [
      {
        ...sockets.take(),
        startedAt: onSharedClock(startedAt.subarray(0, operations)),
        endedAt: onSharedClock(endedAt.subarray(0, operations)),
        calls: {
          operations: [...calls.operations.subarray(0, calls.length)],
          sockets: [...calls.sockets.subarray(0, calls.length)],
          commands: [...calls.commands.subarray(0, calls.length)],
          at: onSharedClock(calls.at.subarray(0, calls.length)),
        },
      },
    ],
  };
}

/** Of this process. @type {ReturnType<typeof watchSockets> | undefined} */
let sockets;
/** @type {Awaited<ReturnType<typeof follow>> | undefined} */
let followed;

/**
 * What a worker is asked for a breakdown.
 * @param {string} request @param {unknown} params of `follow-operations`: whether of a cluster @param {unknown} _threads @param {WorkerCell | undefined} cell
 */
export async function answer(request, params, _threads, cell) {
  if (request === 'watch-sockets') sockets = watchSockets();
  if (request === 'follow-operations') {
    followed = await follow(present(cell?.inside?.()), present(cell).stop, present(sockets), params === true);
    return followed !== undefined;
  }
  if (request === 'begin-breakdown') followed?.begin();
  return request === 'take-breakdown' ? followed?.take() : undefined;
}
