import { MOST_BYTES } from '../../traffic/format.js';
import { knownCommand, reasonToLeaveOut } from './known-commands.js';

/**
 * @import { CommandLine, ProfileLine } from '../../traffic/types.js'
 * @import { Known } from './known-commands.js'
 */

/** So many are replayed, over and over; each takes about 300 bytes of a worker's memory. */
const MOST_REPLAYED = 500_000;
/** And no more arguments than that in all. */
const MOST_ARGUMENTS = 5e6;
/** Larger values would be most of what a run does, and of what it keeps. */
const MOST_CONTENT_BYTES = 64e6;
/** An offset makes a string of that length. */
const MOST_OFFSET = 8e6;
const WITH_OFFSET = new Set(['SETBIT', 'SETRANGE']);

const MANY = 'with more arguments than a profile tells';
const LARGE = 'with an argument or a reply of more than 64 MB, or an offset of more than 8 MB';
const FAILED = 'answered with an error';
const UNANSWERED = 'not answered before the recording ended';

/**
 * @typedef {object} Drawn a command that is replayed
 * @property {CommandLine} line
 * @property {Known} known
 * @property {boolean} isFlat whether its connection spoke RESP2
 *
 * @typedef {object} LeftOut
 * @property {string} reason in brackets behind the commands
 * @property {Record<string, number>} commands how many, by name in capitals
 */

/**
 * Decides which commands of a recording are replayed.
 *
 * @param {(drawn: Drawn) => void} onCommand told of each that is
 */
export function planReplay(onCommand) {
  /** @type {Map<string, Record<string, number>>} */
  const leftOut = new Map();
  /** @type {Set<number>} */
  const speaksResp3 = new Set();
  let replayed = 0;
  let argumentsSoFar = 0;
  let beyond = 0;

  return {
    /** @param {ProfileLine} line */
    line(line) {
      if (line.type !== 'command') return;
      if (line.name === 'HELLO' && line.reply?.[0] === '%') speaksResp3.add(line.connection);
      const known = knownCommand(line.name);
      const reason = known === undefined ? reasonToLeaveOut(line.name) : whyNot(line);
      if (known === undefined || reason !== null) {
        const counts = leftOut.get(String(reason)) ?? {};
        counts[line.name] = (counts[line.name] ?? 0) + 1;
        leftOut.set(String(reason), counts);
      } else if (replayed === MOST_REPLAYED || argumentsSoFar > MOST_ARGUMENTS) beyond++;
      else {
        replayed++;
        argumentsSoFar += line.args.length;
        onCommand({ line, known, isFlat: !speaksResp3.has(line.connection) });
      }
    },

    /** @returns {{replayed: number, beyond: number, leftOut: LeftOut[]}} `beyond`: commands after the last one that is replayed */
    end: () => ({
      replayed,
      beyond,
      leftOut: [...leftOut].map(([reason, commands]) => ({ reason, commands })),
    }),
  };
}

/** @param {CommandLine} line of a known command @returns {string | null} */
function whyNot({ name, args, reply, rest }) {
  if (rest.count > 0) return MANY;
  if (reply === null) return UNANSWERED;
  if (reply[0] === '-') return FAILED;
  const sizes = [...args.map(sizeOf), reply[0] === ':' ? 0 : Number(reply[1])];
  if (sizes.some((bytes) => bytes > Math.min(MOST_BYTES, MOST_CONTENT_BYTES))) return LARGE;
  if (WITH_OFFSET.has(name) && Number(args[1]) > MOST_OFFSET) return LARGE;
  return null;
}

/** @param {CommandLine['args'][number]} arg */
const sizeOf = (arg) => (typeof arg === 'number' ? Math.abs(arg) : Array.isArray(arg) ? arg[1] : arg.length);
