import { hash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { messageOf } from '../../errors.js';
import { NOBODY, startRelay } from '../../relay/relay.js';
import { createConversation } from './conversation.js';
import { MOST_COMMANDS, MOST_CONNECTIONS, MOST_KEYS, MOST_PROFILE_BYTES, MOST_US } from './format.js';
import { HEAD_BYTES } from './scan-resp.js';
import { createCommandTable } from './shape-arguments.js';

/** @import { RelayJob } from '../../relay/types.js' */
/** @import { Conversation, EndReason, ProfileHeader, RecordingState, RelayRecording } from './types.js' */

/** Memory of commands in flight; commands beyond it are dropped from the recording. */
const MOST_PENDING_BYTES = 24 * 1024 * 1024;
const SENT_BYTES = 250;

/** Leaves room for the last lines: of a million connections, about 85 bytes each, and of commands in flight. */
const MOST_RECORDED_BYTES = MOST_PROFILE_BYTES - 120e6;

/** @param {RelayJob & {recording: {file: string, header: ProfileHeader}}} job @returns a relay that records what passes */
export async function startRecordingRelay({ recording: to, ...job }) {
  /** @type {ReturnType<typeof startRecording> | undefined} */
  let recording;
  const { host, ports, refuse, openLines, close } = await startRelay(job, (client) => {
    const conversation = recording?.converse();
    if (!conversation) return NOBODY;
    client.once('close', conversation.close);
    return { fromClient: conversation.fromService, fromServer: conversation.fromServer };
  });
  recording = startRecording(to);
  const { state, end } = recording;
  return {
    host,
    ports,

    /** @returns {RelayRecording} */
    state: () => ({ ...state(), open: openLines() }),

    /** @param {EndReason} reason @returns {Promise<RelayRecording>} */
    async stop(reason) {
      refuse();
      await end(reason);
      const last = this.state();
      await close();
      return last;
    },
  };
}

/** @param {{file: string, header: ProfileHeader, mostBytes?: number}} to */
export function startRecording({ file, header, mostBytes = MOST_RECORDED_BYTES }) {
  const startMs = performance.now();
  const nowUs = () => Math.round((performance.now() - startMs) * 1000);
  /** @type {string | null} */
  let failure = null;
  /** @type {EndReason | null} */
  let ended = null;
  /** @type {Promise<void> | undefined} */
  let ending;
  /** @type {Set<Conversation>} */
  const conversations = new Set();
  const writer = createProfileWriter(file, (message) => {
    failure = message;
    void end('full');
  });
  writer.write(`${JSON.stringify(header)}\n`);
  const keys = createKeyNumbers();
  const pending = { commands: 0, bytes: 0 };
  const counts = { commands: 0, connections: 0, dropped: 0, unparsed: 0 };
  let writtenBytes = 0;

  const recording = {
    find: createCommandTable(),
    keys,
    pending,
    nowUs,
    isFull: () => pending.bytes > MOST_PENDING_BYTES || writer.isFull(),

    /** @param {string} line with its line feed */
    write(line) {
      if (ended !== null) return;
      writtenBytes += line.length;
      writer.write(line);
    },

    /** @param {'dropped' | 'unparsed'} what */
    leaveOut(what) {
      counts[what]++;
    },

    count() {
      counts.commands++;
      const isFull = counts.commands === MOST_COMMANDS || writtenBytes > mostBytes || nowUs() > MOST_US;
      if (isFull) void end('most');
    },

    /** @param {number} characters */
    hold(characters) {
      pending.commands++;
      pending.bytes += characters + SENT_BYTES;
    },

    /** @param {number} characters */
    release(characters) {
      pending.commands--;
      pending.bytes -= characters + SENT_BYTES;
    },
  };

  /** @param {EndReason} reason */
  function end(reason) {
    ending ??= finish(reason);
    return ending;
  }

  /** @param {EndReason} reason */
  async function finish(reason) {
    for (const conversation of conversations) conversation.close();
    const { commands, dropped } = counts;
    const line = { type: 'end', atUs: nowUs(), reason, commands, dropped, keysShared: keys.areShared() };
    recording.write(`${JSON.stringify(line)}\n`);
    ended = reason;
    await writer.end();
  }

  return {
    recording,

    /** @returns {Conversation | null} null after the end, or after too many */
    converse() {
      if (ended !== null || ++counts.connections > MOST_CONNECTIONS) return null;
      recording.write(`{"type":"open","atUs":${nowUs()},"connection":${counts.connections}}\n`);
      const conversation = createConversation(counts.connections, recording);
      conversations.add(conversation);
      return {
        ...conversation,
        close() {
          conversations.delete(conversation);
          conversation.close();
        },
      };
    },

    /** @returns {RecordingState} */
    state: () => ({ atUs: nowUs(), ...counts, inFlight: pending.commands, failure, ended }),

    end,
  };
}

/** @typedef {ReturnType<typeof startRecording>['recording']} Recording */

/**
 * Numbers keys in order of appearance, so that a number says nothing about its key. Kept of a key: 64 bits of a hash with
 * a salt that is never written. The chance that two of two million keys have the same is one in ten million.
 *
 * A Map would take a gigabyte for ten million keys. This table has 48 MB and never grows, because moving a million entries
 * would delay commands. Later keys get one of as many further numbers by their hash: some share one, which the profile
 * says.
 */
const OWN_NUMBERS = MOST_KEYS / 2;
/** Two words of the hash, and the number plus one: 0 is an empty slot. */
const WORDS = 3;
const SALT_BYTES = 16;

/** @param {number} [numbered] keys with a number of their own */
export function createKeyNumbers(numbered = OWN_NUMBERS) {
  const slots = 2 * numbered;
  /** @type {Uint32Array | undefined} */
  let table;
  let next = 0;
  const salted = Buffer.alloc(SALT_BYTES + 4 + HEAD_BYTES);
  randomBytes(SALT_BYTES).copy(salted);

  return {
    areShared: () => next === numbered,

    /** @param {Buffer} bytes has the first HEAD_BYTES of the key @param {number} offset @param {number} length @returns {number} */
    numberOf(bytes, offset, length) {
      table ??= new Uint32Array(slots * WORDS);
      salted.writeUInt32LE(length, SALT_BYTES);
      const head = SALT_BYTES + 4;
      const end = head + bytes.copy(salted, head, offset, offset + Math.min(length, HEAD_BYTES));
      const digest = hash('sha256', salted.subarray(0, end), 'buffer');
      const high = digest.readUInt32LE(0);
      const low = digest.readUInt32LE(4);
      let slot = digest.readUInt32LE(8) % slots;
      for (let at = slot * WORDS; table[at + 2] !== 0; at = slot * WORDS) {
        if (table[at] === high && table[at + 1] === low) return table[at + 2] - 1;
        slot = (slot + 1) % slots;
      }
      if (next === numbered) return numbered + (high % numbered);
      table.set([high, low, ++next], slot * WORDS);
      return next - 1;
    },
  };
}

/** @typedef {ReturnType<typeof createKeyNumbers>} KeyNumbers */

/** Characters that are written at once, or what there is at the next tick. */
const BATCH = 64 * 1024;
const EVERY_MS = 500;
/** Waiting for the disk; lines beyond it are dropped, because commands never wait. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Higher levels gain little, measured on 300,000 GETs and SETs. */
const LEVEL = 3;

/**
 * Nothing is written after a failed write, so that a torn line stays the last one.
 * @param {string} file gzipped if its name ends in `.gz` @param {(message: string) => void} onFailure called once
 */
function createProfileWriter(file, onFailure) {
  const disk = createWriteStream(file, { mode: 0o600 });
  const gzip = file.endsWith('.gz') ? createGzip({ level: LEVEL }) : null;
  const sink = gzip ?? disk;
  gzip?.pipe(disk);
  let lines = '';
  let failed = false;
  const ended = finished(disk).catch(fail);
  sink.on('error', fail);
  const timer = setInterval(() => {
    if (lines === '') return;
    pass();
    // The file stays readable even if this process is killed.
    gzip?.flush(constants.Z_SYNC_FLUSH);
  }, EVERY_MS);

  /** @param {unknown} error */
  function fail(error) {
    if (failed) return;
    failed = true;
    lines = '';
    clearInterval(timer);
    onFailure(messageOf(error));
  }

  function pass() {
    sink.write(lines, 'latin1');
    lines = '';
  }

  return {
    isFull: () => sink.writableLength + disk.writableLength > MOST_WAITING,

    /** @param {string} line with its line feed */
    write(line) {
      if (failed) return;
      lines += line;
      if (lines.length > BATCH) pass();
    },

    /** @returns {Promise<void>} */
    async end() {
      clearInterval(timer);
      if (!failed) {
        pass();
        sink.end();
      }
      await ended;
    },
  };
}
