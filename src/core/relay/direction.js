/** @import { Socket } from 'node:net' */
/** @import { Agenda } from './agenda.js' */
/** @import { Line, Listener, Room } from './types.js' */

/** Overhead per chunk: buffer objects and agenda entry. */
const CHUNK_BYTES = 500;

/**
 * Forwards chunks, end and reset in order, each after its delay.
 * @param {object} parts @param {Socket} parts.source @param {Socket} parts.sink @param {Agenda} parts.agenda
 * @param {() => number} parts.drawDelayMs @param {number} parts.opensAtMs earlier chunks count as arriving now
 * @param {Room} parts.room @param {Line} parts.line @param {(chunk: Buffer, lateMs: number) => void} parts.onPassed
 */
export function connectDirection({ source, sink, agenda, drawDelayMs, opensAtMs, room, line, onPassed }) {
  let lastDueMs = 0;
  let waitingBytes = 0;
  let countedBytes = 0;

  const bufferedBytes = () => waitingBytes + (sink.destroyed ? 0 : sink.writableLength);

  function count() {
    room.take(bufferedBytes() - countedBytes);
    countedBytes = bufferedBytes();
  }

  /** @param {(dueMs: number) => void} pass @param {number} [bytes] */
  function hold(pass, bytes = 0) {
    waitingBytes += bytes;
    lastDueMs = Math.max(lastDueMs, Math.max(agenda.now(), opensAtMs) + drawDelayMs());
    agenda.add(lastDueMs, (dueMs) => {
      waitingBytes -= bytes;
      if (!line.isSilent) pass(dueMs);
      count();
      resume();
    });
    count();
  }

  function resume() {
    if (!line.isSilent && source.isPaused() && bufferedBytes() <= room.ofDirection() / 2) source.resume();
  }

  source.on('data', (/** @type {Buffer} */ chunk) => {
    const bytes = chunk.length + CHUNK_BYTES;
    const waitedMs = agenda.waitedMs();
    hold((dueMs) => {
      sink.write(chunk);
      onPassed(chunk, performance.now() - dueMs + waitedMs);
    }, bytes);
    if (bufferedBytes() > room.ofDirection()) {
      source.pause();
      room.onFull();
    }
  });
  sink.on('drain', () => {
    count();
    resume();
  });
  sink.on('close', count);
  source.on('end', () => hold(() => sink.end()));
  source.on('error', () => hold(() => reset(sink)));
}

/** @type {Listener} */
export const NOBODY = { fromClient() {}, fromServer() {} };

/** Forwards both directions without delay. @param {Line} line @param {Listener} listener */
export function passAtOnce({ client, upstream }, { fromClient, fromServer }) {
  passTo(client, upstream, fromClient);
  passTo(upstream, client, fromServer);
}

/** @param {Socket} source @param {Socket} sink @param {(bytes: Buffer) => void} tell */
function passTo(source, sink, tell) {
  source.on('data', (/** @type {Buffer} */ bytes) => {
    if (!sink.write(bytes)) source.pause();
    tell(bytes);
  });
  sink.on('drain', () => source.resume());
  source.on('end', () => sink.end());
  source.on('error', () => reset(sink));
  source.on('close', () => sink.destroySoon());
}

/** @param {Socket} socket Node 20 never closes one that is reset after its own FIN */
function reset(socket) {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
