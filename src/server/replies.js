import * as v from 'valibot';
import { ServerError } from '../errors.js';
import { foundIn, readAs } from '../schema.js';

/** @import { GenericSchema, InferOutput } from 'valibot' */

/**
 * What a server may reply to the commands that this tool itself reads, each by one schema: what stands behind them need not
 * doubt. Numbers of INFO are no replies of their own: see `numberIn`.
 */

/** @type {<T>(is: (value: T) => boolean, expected: string) => v.CheckAction<T, (issue: v.CheckIssue<T>) => string>} */
const only = (is, expected) => v.check(is, ({ input }) => `expected ${expected}, got ${foundIn(input)}`);

/** @param {string} text */
const isOneWord = (text) => /^[^\s\p{Cc}]{1,255}$/u.test(text);
/** @param {string} text */
const isDigits = (text) => /^\d{1,15}$/.test(text);
/** @param {number} port */
const isPort = (port) => Number.isInteger(port) && port >= 1 && port <= 65_535;

const PORT = 'a port from 1 to 65535';
const Port = v.pipe(v.number(), only(isPort, PORT));
const PortText = v.pipe(
  v.string(),
  only((text) => isDigits(text) && isPort(Number(text)), PORT),
  v.transform(Number),
);
const Host = v.pipe(v.string(), only(isOneWord, 'a host'));
const Digits = v.pipe(v.string(), only(isDigits, 'digits'), v.transform(Number));

export const SLOTS = 16_384;
/** More nodes than a cluster can have: its nodes talk to each other. */
const MOST_NODES = 1000;

const Slot = v.pipe(
  v.number(),
  only((slot) => Number.isInteger(slot) && slot >= 0 && slot < SLOTS, 'a slot from 0 to 16383'),
);
/** Null, empty or ? where a node does not know its own host; what follows differs between versions. */
const ClusterNode = v.looseTuple([
  v.nullable(
    v.pipe(
      v.string(),
      only((host) => host === '' || isOneWord(host), 'a host'),
    ),
  ),
  Port,
]);
const SlotRange = v.tupleWithRest([Slot, Slot, ClusterNode], ClusterNode);

/** @param {InferOutput<typeof SlotRange>[]} ranges */
function areApart(ranges) {
  let free = 0;
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    if (first < free || last < first) return false;
    free = last + 1;
  }
  return true;
}

/** @param {InferOutput<typeof SlotRange>[]} ranges */
const areFew = (ranges) => {
  const nodes = new Set(ranges.flatMap(([, , ...all]) => all.map(([host, port]) => `${host}:${port}`)));
  return nodes.size <= MOST_NODES;
};

/** Names and values in turn. */
const Fields = v.pipe(
  v.array(v.string()),
  only((words) => words.length % 2 === 0, 'names and values in turn'),
  v.transform((words) => {
    /** @type {Record<string, string>} */
    const fields = Object.create(null);
    for (let at = 0; at < words.length; at += 2) fields[words[at]] = words[at + 1];
    return fields;
  }),
);

export const PONG = v.literal('PONG');
export const TEXT = v.string();
export const COUNT = v.pipe(
  v.number(),
  only((number) => Number.isSafeInteger(number) && number >= 0, 'a count'),
);
export const REMOVED = v.picklist([0, 1]);
export const SETTINGS = Fields;
export const CLUSTER_SLOTS = v.pipe(
  v.array(SlotRange),
  v.maxLength(SLOTS),
  only(areApart, 'each slot at most once'),
  only(areFew, `at most ${MOST_NODES} nodes`),
);
export const SENTINEL_MASTERS = v.array(
  v.pipe(
    Fields,
    v.object({
      name: v.pipe(
        v.string(),
        only((name) => /^\P{Cc}{1,255}$/u.test(name), 'the name of a primary'),
      ),
    }),
  ),
);
export const SENTINEL_MASTER = v.pipe(Fields, v.object({ 'num-other-sentinels': Digits }));
export const SENTINEL_REPLICAS = v.array(
  v.pipe(Fields, v.object({ ip: Host, port: PortText, flags: v.string(), 'master-link-status': v.string() })),
);
const Watched = v.pipe(Fields, v.object({ ip: Host, port: PortText, flags: v.string() }));
/** What clients read: of a primary, and of the Sentinels that watch it. */
export const READ_BY_CLIENTS = { MASTER: Watched, SENTINELS: v.array(Watched) };
/** Null where the Sentinel knows none. */
export const SENTINEL_ADDRESS = v.nullable(v.strictTuple([Host, PortText]));
export const ROLE = v.looseTuple([v.string()]);
/** Makes ms of seconds and microseconds. */
export const TIME = v.pipe(
  v.strictTuple([Digits, Digits]),
  v.transform(([seconds, us]) => seconds * 1000 + us / 1000),
);
/** Not of every server a number. */
const Cursor = v.pipe(v.union([v.string(), COUNT]), v.transform(String), only(isOneWord, 'a cursor'));
export const SCANNED = v.strictTuple([Cursor, v.array(v.string())]);

/** An array, or a set of RESP3. Servers before version 7 have no tips. */
const Words = v.pipe(
  v.nullish(v.union([v.array(v.unknown()), v.set(v.unknown())]), []),
  v.transform((words) => [...words].map((word) => String(word).toLowerCase())),
);
/** Null or empty for a command that the server does not know. */
export const COMMAND_INFO = v.array(
  v.pipe(
    v.nullable(v.array(v.unknown())),
    v.transform(
      /** @returns {unknown} */ (about) => (about?.length ? { flags: about[2], tips: about[7] } : null),
    ),
    v.nullable(v.object({ flags: Words, tips: Words })),
  ),
);
export const KEYS = v.array(v.string());
/** Bytes; null for a key that is not there. */
export const MEMORY_USAGE = v.nullable(COUNT);

export class WrongReplyError extends ServerError {}

/** Commands whose second word says what they do. */
const CONTAINERS = new Set(['CLIENT', 'CLUSTER', 'COMMAND', 'CONFIG', 'MEMORY', 'SENTINEL']);

/**
 * @template {GenericSchema} S @param {S} schema @param {unknown} reply @param {readonly string[]} command that was sent
 * @param {string} whose such as `127.0.0.1:6379` @returns {InferOutput<S>} @throws {ServerError}
 */
export const readReplyAs = (schema, reply, command, whose) =>
  readAs(schema, reply, (wrong) => wrongReply(command, whose, wrong));

/** @param {readonly string[]} command @param {string} whose @param {string} wrong */
export function wrongReply([name, second], whose, wrong) {
  const named = CONTAINERS.has(name) ? `${name} ${second}` : name;
  return new WrongReplyError(`${whose} gave a wrong reply to ${named}: ${wrong}`);
}

/**
 * A counter or a setting, which servers tell as text.
 * @param {string | null | undefined} text @returns {number | null} null for what is none, and so not known
 */
export function numberIn(text) {
  if (text == null || !/^\d+(?:\.\d+)?$/.test(text)) return null;
  const number = Number(text);
  return number <= Number.MAX_SAFE_INTEGER ? number : null;
}
