import { Help } from './options.js';

/** @import { Command } from 'commander' */
/** @import { OptionTable } from '../options/types.js' */

const EXAMPLES = `
Examples:
  $ redis-pipe-bench                                    redis and ioredis, four ways to connect
  $ redis-pipe-bench --clients redis,redis:tuned --scenarios shared-connection --tasks 1,8,64
  $ redis-pipe-bench --smoke --url redis://127.0.0.1:6379
  $ redis-pipe-bench --format html --output page.html   a page with charts
  $ redis-pipe-bench report last --format markdown      the last result again, without measuring
`;

const MORE_EXAMPLES = `
Examples:
  $ redis-pipe-bench --tasks 8 --size 1000              what is measured by default
  $ redis-pipe-bench --clients redis@4,redis@5,redis@6      releases side by side
  $ redis-pipe-bench --suite pipelining-test --format lines
  $ redis-pipe-bench --smoke --format json --output result.json
  $ redis-pipe-bench compare before.ndjson last --fail-on regression:5%
  $ redis-pipe-bench history
  $ redis-pipe-bench calibrate                          the ceiling: what this machine can do
  $ redis-pipe-bench bisect --client redis --from 5 --to 6 --dry-run
  $ redis-pipe-bench doctor                             is this machine fit for measuring?
  $ redis-pipe-bench list
`;

const END = `
Results go to stdout, everything else to stderr. Exit codes: 0 done, 2 wrong options, 3 no server
or server lost, 4 runs failed or replies were wrong, 5 an assertion failed or a regression, 6 too
disturbed to judge a regression, 130 interrupted.`;

/** @param {Command} program */
export const explainAll = (program) => program.addHelpText('after', MORE_EXAMPLES + END);

/**
 * The help that one asks for first: what is rarely needed is only named, at the end of its group.
 * @param {Command} program @param {OptionTable} options
 */
export function explainCommon(program, options) {
  for (const option of program.options) {
    const spec = options[option.attributeName()];
    if (spec !== undefined && !spec.isCommon) option.hideHelp();
  }
  /** @param {string} heading */
  const rareIn = (heading) =>
    program.options.filter((option) => option.hidden && option.helpGroupHeading === heading);
  program
    .configureHelp({
      formatItemList(heading, items, helper) {
        const lines = Help.prototype.formatItemList.call(helper, heading, items, helper);
        const rare = rareIn(heading).map(({ long }) => long);
        if (rare.length === 0) return lines;
        const named = helper.boxWrap(`also ${rare.join(', ')}`, (helper.helpWidth ?? 100) - 2);
        return [...lines.slice(0, -1), ...named.split('\n').map((line) => `  ${line}`), ''];
      },
    })
    .addHelpText(
      'after',
      `\n'redis-pipe-bench run --help' explains every option, 'redis-pipe-bench COMMAND --help' a command.\n${EXAMPLES}${END}`,
    );
}
