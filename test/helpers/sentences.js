import { isText } from './tokens.js';

/** @import { Token } from './tokens.js' */

/**
 * Where a text of five words is no sentence that is stored or reported:
 *
 * - what describes itself: commands, options, plugins, metrics, axes, the names of the checks of a plugin;
 * - the messages of errors: any argument of what makes or throws one, and the files below. What is wrong with an input is
 *   known best where it is read. A run that failed, and a benchmark that was cut short, store the message as it was;
 * - the report: a caption stands with its picture, a note with its table;
 * - the tables of Redis commands: syntax.
 *
 * All else that a result file, a table or a report tells is data, whose words stand in report/words.
 */
const DESCRIBES =
  /^src\/(report|axes|cli|options|commands|plugins|metrics|errors|causes|command-places|api|server\/explain|worker\/contract|analysis\/(assertions|findings\/compare-reports)|traffic\/(commands\/|server-replies|shape-arguments))/;

/** What makes an error of a text. */
export const MAKES_ERROR =
  /Error$|^errorAt$|^failure$|^Refusal$|^refuse|^(missed|wrong|complain|untilReady)$/;

/** Texts that become part of an error in another place of their file. @type {Record<string, string>} what they say, by file */
export const PARTS_OF_ERRORS = {
  'src/agents/job-signature.js': 'which jobs an agent refuses',
  'src/agents/lease.js': 'why an agent was lost',
  'src/agents/permissions.js': 'what an agent is not allowed to use',
  'src/agents/serve-queue.js': 'why a job of an earlier agent fails',
  'src/machine/keep-awake.js': 'why processors cannot be kept awake',
  'src/machine/releases/resolve.js': 'what a folder holds instead of a package',
  'src/machine/wake-up-cost.js': 'why it is not measured',
  'src/results/fault-record.js': 'why a run failed',
  'src/results/validate.js': 'what is wrong with a result',
  'src/runner/cell-log.js': 'why a run failed',
  'src/runner/peers.js': 'why a peer was not measured',
  'src/runner/server-watch.js': 'why a run failed',
  'src/runner/waking.js': 'why processors are not kept awake',
  'src/script-commands.js': 'what an external server must allow first',
  'src/server/locate.js': 'how to install a server',
  'src/traffic/profile-schema.js': 'what is wrong with a profile',
  'src/worker/cell.js': 'why a run failed',
  'src/server/reach.js': 'which server cannot be reached',
  'src/worker/silent.js': 'what an agent does not report',
};

/** @param {string} file from the root of the project */
export const mayMakeSentences = (file) =>
  file.endsWith('.js') && !DESCRIBES.test(file) && !Object.hasOwn(PARTS_OF_ERRORS, file);

/** @param {Token[]} tokens @returns {Token[]} texts of five words or more that are no part of an error: a guess */
export function sentencesIn(tokens) {
  const sentences = [];
  /** How many brackets of an error are open. */
  let inError = 0;
  for (const [index, token] of tokens.entries()) {
    const opensError = token.text === '(' && MAKES_ERROR.test(tokens[index - 1]?.text);
    if (opensError || (inError > 0 && token.text === '(')) inError++;
    else if (inError > 0 && token.text === ')') inError--;
    else if (inError === 0 && isSentence(tokens, index)) sentences.push(token);
  }
  return sentences;
}

/** @param {Token[]} tokens @param {number} index */
const isSentence = (tokens, index) =>
  isText(tokens[index]) &&
  /(?:[a-z',]+ ){4}[a-z']+/i.test(tokens[index].text) &&
  // What is waited for is part of an error, and a list of names is no text.
  tokens[index - 2]?.text !== 'expected' &&
  tokens[index - 2]?.text !== 'each' &&
  tokens[index + 2]?.text !== 'split';
