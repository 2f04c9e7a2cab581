/** @import { Command } from 'commander' */

const EXAMPLES = `
Examples:
  $ redis-pipe-bench --clients redis@4,redis@5,redis@6      releases side by side
  $ redis-pipe-bench --suite pipelining-test --format lines
  $ redis-pipe-bench --smoke --format json --output result.json
  $ redis-pipe-bench --format html --output page.html   a page with charts
  $ redis-pipe-bench report last --format markdown      the last result again, without measuring
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
export const explainAll = (program) => program.addHelpText('after', EXAMPLES + END);
