import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProfile } from '../../src/commands/traffic/read-profile.js';
import { startRecordingRelay } from '../../src/commands/traffic/recording.js';
import { PROFILE_HEADER } from './sample-profile.js';
import { until } from './until.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Upstream } from '../../src/relay/types.js'
 * @import { CommandLine, ProfileLine } from '../../src/commands/traffic/types.js'
 */

/**
 * A relay in this process that records.
 *
 * @param {Upstream} upstream
 * @param {{name?: string}} [options] of the profile
 */
export async function startRecorded(upstream, { name = 'traffic.ndjson' } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'rpb-recorded-'));
  const file = name.startsWith('/') ? name : join(folder, name);
  const tap = await startRecordingRelay({
    upstreams: [upstream],
    recording: { file, header: PROFILE_HEADER },
  });
  const [port] = tap.ports;
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    tap,
    file,

    /** Ends it and reads what it has written. */
    async lines() {
      await tap.stop('time');
      /** @type {ProfileLine[]} */
      const lines = [];
      const { end } = await readProfile(file, (line) => lines.push(line));
      const commands = lines.filter((line) => /** @returns {line is CommandLine} */ line.type === 'command');
      return {
        lines,
        commands: /** @type {CommandLine[]} */ (commands),
        end,
        text: `${await readFile(file)}`,
      };
    },

    async close() {
      await tap.stop('time');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param {string} file of a profile @returns {Promise<CommandLine[]>} */
export async function commandsOf(file) {
  /** @type {CommandLine[]} */
  const commands = [];
  await readProfile(file, (line) => line.type === 'command' && commands.push(line));
  return commands;
}

/** A command without its times and its connection. @param {CommandLine} line */
export const shapeOf = ({ name, args, reply }) => [name, args, reply];

/**
 * A connection by hand.
 *
 * @param {number} port
 */
export async function dial(port) {
  /** @type {Socket} */
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  let closed = false;
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  await until('a connection', () => !socket.connecting);
  return {
    socket,
    isClosed: () => closed,
    /** @param {string} text @param {string} reply awaited: all that has come since the last one */
    async say(text, reply) {
      socket.write(text, 'latin1');
      await until(
        () => `${JSON.stringify(reply)}, got ${JSON.stringify(received)}`,
        () => received === reply || closed,
      );
      received = '';
    },
    /** @param {string} text @param {RegExp} reply that is in all that has come since the last one */
    async ask(text, reply) {
      socket.write(text, 'latin1');
      await until(
        () => `${reply}, got ${JSON.stringify(received)}`,
        () => reply.test(received),
      );
      received = '';
    },
    end: () => socket.destroy(),
  };
}
