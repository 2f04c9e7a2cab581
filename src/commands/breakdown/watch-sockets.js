import { Socket } from 'node:net';
import { createCounter } from './count-values.js';
import { createLog } from './event-log.js';

/** @import { WatchedSocket } from './types.js' */

/** @typedef {string | Uint8Array} Chunk without its encoding where all of a write are buffers */
/** @typedef {{chunk: Chunk, encoding: BufferEncoding}} Encoded */
/** @typedef {(error?: Error | null) => void} OnWritten */
/** @typedef {Socket & {_writeGeneric: Write}} WritingSocket */
/** @typedef {(this: WritingSocket, isMany: boolean, data: (Chunk | Encoded)[] | Chunk, encoding: BufferEncoding, done: OnWritten) => void} Write */

/** Texts are encoded into this to be counted. */
const SCRATCH = Buffer.alloc(2 ** 16);
const MOST_BYTES_PER_CHARACTER = 3;

/**
 * Notes when bytes of any socket of this process were handed to the kernel, and when they were read from it: beneath the client,
 * whichever it is, in the two functions of Node through which all of them pass.
 */
export function watchSockets() {
  const written = createLog();
  const read = createLog();
  /** @type {ReturnType<typeof watch>[]} */
  const watched = [];
  /** Asked for by `socketOf`. */
  let text = '';
  let found = -1;
  const prototype = /** @type {WritingSocket} */ (Socket.prototype);
  const { _writeGeneric: writeGeneric } = prototype;

  /** @param {WritingSocket} socket @param {number} index */
  function watch(socket, index) {
    const { push } = socket;
    const [countWritten, countRead] = [createCounter(), createCounter()];
    const counts = { written: 0, read: 0, expected: 0 };
    const before = { written: 0, read: 0 };
    // A stream has one write at a time.
    /** @type {{data: Parameters<Write>[1], encoding: BufferEncoding, done: OnWritten, fromMs: number}} */
    const now = { data: '', encoding: 'utf8', done() {}, fromMs: 0 };

    /** @param {Chunk} chunk @param {BufferEncoding} encoding */
    function count(chunk, encoding) {
      const isText = typeof chunk === 'string';
      const isShort = isText && chunk.length * MOST_BYTES_PER_CHARACTER <= SCRATCH.length;
      const bytes = isShort ? SCRATCH : isText ? Buffer.from(chunk, encoding) : chunk;
      const end = isShort ? SCRATCH.write(chunk, encoding) : bytes.length;
      counts.written = countWritten(bytes, end);
      if (text !== '' && Buffer.from(bytes.subarray(0, end)).includes(text)) found = index;
    }

    /** @type {OnWritten} */
    function onWritten(error) {
      const atMs = performance.now();
      const { data, encoding, done, fromMs } = now;
      const known = counts.written;
      if (!Array.isArray(data)) count(data, encoding);
      else
        for (const each of data) {
          const isEncoded = typeof each === 'object' && 'chunk' in each;
          count(isEncoded ? each.chunk : each, isEncoded ? each.encoding : encoding);
        }
      now.data = '';
      if (counts.written > known) written.add(index, counts.written, atMs, fromMs);
      done(error);
    }

    socket._writeGeneric = (isMany, data, encoding, done) => {
      Object.assign(now, { data, encoding, done });
      now.fromMs = performance.now();
      writeGeneric.call(socket, isMany, data, encoding, onWritten);
    };
    socket.push = (chunk, encoding) => {
      const atMs = performance.now();
      const known = counts.read;
      if (chunk !== null) counts.read = countRead(chunk, chunk.length);
      if (counts.read > known) read.add(index, counts.read, atMs);
      return push.call(socket, chunk, encoding);
    };
    return {
      counts,
      begin() {
        Object.assign(before, counts);
        counts.expected = 0;
      },
      /** @returns {WatchedSocket} */
      take: () => ({
        port: Number(socket.localPort),
        written: before.written,
        read: before.read,
        expected: counts.expected,
      }),
    };
  }

  prototype._writeGeneric = function (isMany, data, encoding, done) {
    // Node calls this again once it has connected.
    if (this.connecting) return writeGeneric.call(this, isMany, data, encoding, done);
    watched.push(watch(this, watched.length));
    this._writeGeneric(isMany, data, encoding, done);
  };

  return {
    /** @param {string} sent @param {() => Promise<unknown>} send @returns {Promise<number>} the index of the socket; -1 for none of Node's */
    async socketOf(sent, send) {
      [text, found] = [sent, -1];
      const before = watched.map(({ counts }) => counts.read);
      await send();
      text = '';
      // A client may pass commands to another process over a socket, in another protocol.
      return found >= 0 && watched[found].counts.read === (before[found] ?? 0) + 1 ? found : -1;
    },

    /** @param {number} index @param {number} commands of a call */
    expect(index, commands) {
      watched[index].counts.expected += commands;
    },

    begin() {
      written.clear();
      read.clear();
      for (const own of watched) own.begin();
    },

    take: () => ({
      sockets: watched.map((own) => own.take()),
      written: written.take(),
      read: read.take(),
    }),
  };
}
