import { readdirSync, readFileSync } from 'node:fs';
import { SyntaxKind } from 'typescript/unstable/ast';
import { isText, tokensOf } from '../helpers/tokens.js';

/** @import { Token } from '../helpers/tokens.js' */

/** What makes an error of a text. */
const MAKES_ERROR = /Error$|^errorAt$|^failure$|^Refusal$|^refuse|^(missed|wrong|complain|untilReady)$/;
const SRC = new URL('../../src/', import.meta.url);
const TEXT_BEGINS = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
]);
/** What is shorter is a word or two of a longer one. */
const FEWEST_WORDS = 4;

/** @returns {string[]} the messages of all errors that src makes by themselves, with `…` for each value, in order */
export function errorTemplates() {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const all = files.flatMap((file) => templatesIn(tokensOf(readFileSync(new URL(file, SRC), 'utf8'))));
  return [...new Set(all)].filter((text) => text.split(' ').length >= FEWEST_WORDS).sort();
}

/** @param {Token[]} tokens @returns {string[]} */
function templatesIn(tokens) {
  return tokens.flatMap(({ text }, index) =>
    text === '(' && MAKES_ERROR.test(tokens[index - 1]?.text)
      ? templateOf(tokens.slice(index + 1, index + 1 + argumentsLength(tokens.slice(index + 1))))
      : [],
  );
}

/** @param {Token[]} tokens after an opening bracket @returns {number} how many there are before it is closed */
function argumentsLength(tokens) {
  let open = 1;
  return tokens.findIndex(({ text }) => {
    if (text === '(') open++;
    if (text === ')') open--;
    return open === 0;
  });
}

/** @param {Token[]} tokens of the arguments @returns {string} their texts, without those inside of `${}` */
function templateOf(tokens) {
  let inside = 0;
  let text = '';
  for (const [index, token] of tokens.entries()) {
    if (!isText(token)) continue;
    if (token.kind === SyntaxKind.TemplateTail) inside--;
    const isOuter = inside === (token.kind === SyntaxKind.TemplateMiddle ? 1 : 0);
    const isOther = text !== '' && TEXT_BEGINS.has(token.kind) && tokens[index - 1]?.text !== '+';
    if (isOuter) text += (isOther ? ' / ' : '') + token.text.replace(/^[`'"}]|[`'"]$|\$\{$/g, '');
    if (token.kind === SyntaxKind.TemplateHead) inside++;
    if (isOuter && inside === 1) text += '…';
  }
  return text;
}
