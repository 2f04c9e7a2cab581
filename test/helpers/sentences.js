import { isText } from './tokens.js';

/** @import { Token } from './tokens.js' */

/**
 * Where a text of five words is no sentence of a report:
 *
 * - what describes itself: commands, options, plugins, metrics, axes, the names of the checks of a plugin;
 * - what is thrown: `errors`, `causes`, `parse-json`, the reasons in `server/explain`, of assertions and of results that have nothing in
 *   common, and any argument of an error, because what is wrong with an input is known best where it is read;
 * - the rest of the report: a caption stands with its picture, a note with its table;
 * - the table of Redis commands: syntax.
 */
const DESCRIBES =
  /^src\/(report|axes|cli|options|commands|plugins\/(?!workloads\/profile)|metrics|errors|causes|parse-json|api|server\/explain|worker\/contract|analysis\/(assertions|findings\/compare-reports)|traffic\/(commands\/|server-replies|shape-arguments))/;

/** What makes an error of a text. */
const MAKES_ERROR = /Error$|^errorAt$|^Refusal$|^refuse/;

/** @param {string} file from the root of the project */
export const mayMakeSentences = (file) => file.endsWith('.js') && !DESCRIBES.test(file);

/** @param {Token[]} tokens @returns {number} texts of five words or more that are no part of an error: a guess */
export function sentencesIn(tokens) {
  let sentences = 0;
  /** How many brackets of an error are open. */
  let inError = 0;
  for (const [index, token] of tokens.entries()) {
    const opensError = token.text === '(' && MAKES_ERROR.test(tokens[index - 1]?.text);
    if (opensError || (inError > 0 && token.text === '(')) inError++;
    else if (inError > 0 && token.text === ')') inError--;
    else if (inError === 0 && isSentence(tokens, index)) sentences++;
  }
  return sentences;
}

/** @param {Token[]} tokens @param {number} index */
const isSentence = (tokens, index) =>
  isText(tokens[index]) &&
  /(?:[a-z',]+ ){4}[a-z']+/i.test(tokens[index].text) &&
  // What is waited for is part of an error, and a list of names is no text.
  tokens[index - 2]?.text !== 'expected' &&
  tokens[index + 2]?.text !== 'split';
