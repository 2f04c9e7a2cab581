import { OPTIONS as OF_AGENTS } from '../commands/agents/options.js';
import { OPTIONS } from '../options/option-table.js';
import { wrap } from '../report/wrap.js';
import { COMMANDS, DEFAULT } from './commands.js';

/** @import { OptionGroup, OptionSpec } from '../options/types.js' */
/** @import { World } from './types.js' */

export const ABOUT = `How should a Node.js service talk to Redis? Measures clients and ways to connect side by side.
Without --url it starts a Redis server of its own and stops it at the end.`;

/** What users want, in the order of the help. @type {Record<OptionGroup, string>} */
export const HEADINGS = {
  compare: 'What to compare:',
  send: 'What to send:',
  server: 'Where the server is:',
  measure: 'How long and how to measure:',
  print: 'What to print:',
};

/** Flags of the command line only, with their text in the first help. @type {Record<string, Pick<OptionSpec, 'flag' | 'group'> & {help?: string}>} */
export const FLAGS = {
  suite: {
    flag: '--suite <name>',
    group: 'compare',
    help: 'a ready set of options, such as distance or pipelining-test',
  },
  format: {
    flag: '--format <name>',
    group: 'print',
    help: 'table, markdown, html, json, csv or another (default: table)',
  },
  output: { flag: '--output <file>', group: 'print' },
  details: { flag: '--details', group: 'print', help: 'all runs, tests, causes and costs as well' },
  quiet: { flag: '-q, --quiet', group: 'print', help: 'no progress on stderr' },
  version: { flag: '-V, --version', group: 'print' },
  help: { flag: '-h, --help [all]', group: 'print', help: 'this page; all: every option' },
};

const START = `Usage: redis-pipe-bench [COMMAND] [options]

${ABOUT}

Examples:
  $ redis-pipe-bench                                 redis and ioredis, four ways to connect
  $ redis-pipe-bench --tasks 1,8,64 --rtt 0,1ms      which choice is fastest where
`;

/** Up to the first `;` of their help; the others only in `--help all`. */
const FIRST_OPTIONS = (
  'clients compare scenarios pipelining transport readFrom encode server nodeBin size keys workload command tasks rate ' +
  'rateSearch processes agents topology rtt url budgetMs profile smoke assert'
).split(' ');
/** Shown with their summaries; the others only by name. */
const FIRST_COMMANDS = ['break', 'cold', 'messages', 'compare', 'report', 'list'];

/** Without commander, to appear at once. @param {Pick<World, 'stdout'>} world */
export function printFirstHelp({ stdout }) {
  const others = Object.keys(COMMANDS).filter((name) => ![DEFAULT, ...FIRST_COMMANDS].includes(name));
  const sections = Object.entries(HEADINGS).map(([group, heading]) => ({ heading, rows: basicsIn(group) }));
  sections.push({ heading: 'Commands:', rows: FIRST_COMMANDS.map((name) => [name, COMMANDS[name][1]]) });
  const column = Math.max(...sections.flatMap(({ rows }) => rows.map(([term]) => term.length)));
  const lines = sections.flatMap(({ heading, rows }) => [
    '',
    heading,
    ...rows.flatMap((row) => linesOf(row, column, stdout.columns ?? 100)),
  ]);
  const also = wrap(`also ${others.join(', ')}`, (stdout.columns ?? 100) - 2).join('\n  ');
  stdout.rendered(`${START}${lines.join('\n')}
  ${also}
'redis-pipe-bench --help all' explains every option, 'redis-pipe-bench COMMAND --help' a command.
`);
}

/** @param {string} group @returns {string[][]} flags and texts */
const basicsIn = (group) => [
  ...Object.entries({ ...OPTIONS, ...OF_AGENTS }).flatMap(
    ([name, { flag, help, group: own, default: fallback }]) => {
      if (own !== group || !FIRST_OPTIONS.includes(name)) return [];
      const [text] = help.split('; ');
      const isListed = ['number', 'object'].includes(typeof fallback) && /^[\w.,:-]+$/.test(`${fallback}`);
      return [[flag, isListed && !help.includes('default:') ? `${text} (default: ${fallback})` : text]];
    },
  ),
  ...Object.values(FLAGS).flatMap(({ flag, help, group: own }) =>
    own === group && help !== undefined ? [[flag, help]] : [],
  ),
];

/** @param {string[]} row @param {number} column @param {number} width of the terminal */
const linesOf = ([term, text], column, width) =>
  wrap(text, width - column - 4).map(
    (line, index) => `  ${(index === 0 ? term : '').padEnd(column)}  ${line}`,
  );
