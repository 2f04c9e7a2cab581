import { defineAxis, nameBy } from './define.js';

/** @import { Axis, AxisCell } from './types.js' */

/** How commands are sent. Options of a scenario are named (`pool of 3`) and advised with it. */

export const scenario = defineAxis({
  id: 'scenario',
  role: 'choice',
  phrase: (cell) => cell.scenario.replaceAll('-', ' '),
  idPart: (cell) => cell.scenario,
  always: ({ chosen }) => !chosen?.workload.startsProcesses,
  aliases: scenarioAliases,
  advice: { order: 1, noun: 'connection', value: scenarioName },
});

/** @param {AxisCell[]} cells @returns {Axis[]} one for each option of their scenarios */
const scenarioOptions = (cells) =>
  [...new Set(cells.flatMap((cell) => Object.keys(cell.scenarioOptions ?? {})))].map(optionAxis);

/** @param {string} name @returns {Axis} */
function optionAxis(name) {
  const words = (/** @type {AxisCell} */ cell) => cell.words?.scenario?.options?.[name];
  const axis = defineAxis({
    id: name,
    partOf: 'scenario',
    role: 'choice',
    of: (cell) => cell.scenarioOptions?.[name] ?? null,
    phrase: (cell) => words(cell)?.row ?? String(axis.of(cell) ?? ''),
    idPart: (cell) => String(axis.of(cell) ?? ''),
    idGlue: ':',
    rowGlue: ' ',
    always: (cell) => words(cell)?.always ?? false,
    among: (cell, other) => other.scenario === cell.scenario,
  });
  return axis;
}

/** @param {AxisCell} cell @param {AxisCell[]} cells @returns {string} `pool of 3` */
function scenarioName(cell, cells) {
  return nameBy([scenario, ...scenarioOptions(cells)], cell, cells);
}

/** @param {AxisCell} cell @returns {string[]} of `pool:generic:3` also `pool:generic`; and `pool of 3` */
function scenarioAliases(cell) {
  const values = Object.values(cell.scenarioOptions ?? {}).map(String);
  return [
    ...values.map((_, index) => [cell.scenario, ...values.slice(0, index + 1)].join(':')),
    scenarioName(cell, [cell]),
  ];
}

const pipelining = defineAxis({
  id: 'pipelining',
  role: 'choice',
  phrase: (cell) => cell.pipelining,
  advice: { order: 6, noun: 'pipelining' },
});

/** Requests about several keys have one. */
const way = defineAxis({
  id: 'way',
  role: 'choice',
  phrase: (cell) => cell.words?.way?.row ?? cell.way ?? '',
  idPart: (cell) => cell.way ?? '',
  always: () => true,
  advice: { order: 0, noun: 'way' },
});

const transport = defineAxis({
  id: 'transport',
  role: 'choice',
  phrase: (cell) => cell.transport,
  advice: { order: 5, noun: 'transport' },
  notMeasured: 'transports',
  otherThan: (cell) => cell.transport.toUpperCase(),
});

/** Where each of several servers is reached in one way, that is chosen with the server. @param {AxisCell[]} cells @returns {Axis[]} */
function transports(cells) {
  const ways = new Set(cells.map((cell) => JSON.stringify([cell.server, cell.transport])));
  const servers = new Set(cells.map((cell) => cell.server)).size;
  const kinds = new Set(cells.map((cell) => cell.transport)).size;
  const isOfServer = servers > 1 && kinds > 1 && ways.size === servers;
  return [isOfServer ? { ...transport, partOf: 'server', row: () => '', advice: undefined } : transport];
}

/** Empty in ids where it was not asked for. */
const readFrom = defineAxis({
  id: 'readFrom',
  role: 'choice',
  asked: (settings) => settings.readFrom?.map((each) => ({ readFrom: each })) ?? [{}],
  phrase: ({ readFrom: from }) =>
    from ? `reads from ${from === 'replica' ? 'replicas' : 'the primary'}` : '',
  idPart: (cell) => (cell.readFrom ? `read-from-${cell.readFrom}` : ''),
  advice: { order: 10, noun: 'reads' },
});

/**
 * Not a condition: with `--pin apart,same` a user sees what sharing a processor costs, if both are in one group. Not a
 * choice: nobody moves a service next to its Redis because of a benchmark, so advice and ceilings hold it fixed.
 */
const pin = defineAxis({ id: 'pin', role: 'placement', noun: 'use of cores', phrase: (cell) => cell.pin });

const replies = defineAxis({
  id: 'replies',
  role: 'choice',
  asked: (settings) => settings.replies?.map((each) => ({ replies: each })) ?? [{}],
  phrase: (cell) => (cell.replies === undefined ? '' : `replies as ${cell.replies}s`),
  idPart: (cell) => (cell.replies === undefined ? '' : `replies-${cell.replies}`),
  advice: {
    order: 11,
    noun: 'replies',
    value: (cell) => `reading ${cell.replies === 'buffer' ? 'Buffers' : 'strings'}`,
  },
});

/** Not text, so a program has to ask for Buffers. */
const BINARY = ['msgpack', 'json+gzip'];
/** @type {Record<string, string>} */
export const ENCODED = {
  none: 'not encoded',
  json: 'JSON',
  msgpack: 'MessagePack',
  'json+gzip': 'gzipped JSON',
};

/** Encodings may need Buffers. @param {Pick<AxisCell, 'replies' | 'encode'>} cell @returns {AxisCell['replies']} */
export const repliesOf = ({ replies: asked, encode: encoding = 'none' }) =>
  asked ?? (BINARY.includes(encoding) ? 'buffer' : undefined);

const encode = defineAxis({
  id: 'encode',
  role: 'choice',
  asked: (settings) => settings.encode?.map((each) => ({ encode: each })) ?? [{}],
  phrase: (cell) => ENCODED[cell.encode ?? ''] ?? '',
  idPart: (cell) => (cell.encode === undefined ? '' : `encode-${cell.encode}`),
  advice: {
    order: 12,
    noun: 'encoding',
    value: (cell) => (cell.encode === 'none' ? 'no encoding' : encode.row(cell)),
  },
});

export const SENDING_AXES = [
  way,
  scenario,
  scenarioOptions,
  pipelining,
  transports,
  readFrom,
  replies,
  encode,
  pin,
];
