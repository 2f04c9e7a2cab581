/** @import { OptionGroup, OptionSpec } from '../options/types.js' */

export const ABOUT = `How should a Node.js service talk to Redis? Measures clients and ways to connect side by side.
Without --url it starts a Redis server of its own and stops it at the end.`;

/** By what users want, in the order of the help. @type {Record<OptionGroup, string>} */
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
