import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

/**
 * @typedef {object} Token
 * @property {SyntaxKind} kind
 * @property {string} text as it stands in the file
 * @property {number} line of its first character, from 1
 */

/** After these a slash divides; after anything else a pattern begins. */
const ENDS_OF_VALUES = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.SuperKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
]);
const TRIVIA = new Set([
  SyntaxKind.WhitespaceTrivia,
  SyntaxKind.NewLineTrivia,
  SyntaxKind.SingleLineCommentTrivia,
  SyntaxKind.MultiLineCommentTrivia,
]);

/** @param {Token} token */
export const isComment = ({ kind }) =>
  kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia;

/** @param {Token} token a text, or the part of one between two `${}` */
export const isText = ({ kind }) =>
  kind === SyntaxKind.StringLiteral ||
  kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
  kind === SyntaxKind.TemplateHead ||
  kind === SyntaxKind.TemplateMiddle ||
  kind === SyntaxKind.TemplateTail;

/**
 * @param {string} code
 * @returns {Token[]} comments included, white space left out
 */
export function tokensOf(code) {
  const scanner = createScanner(false, undefined, code);
  /** @type {Token[]} */
  const tokens = [];
  let before = SyntaxKind.Unknown;
  /** For each brace that is open, whether it is one of a template. @type {boolean[]} */
  const braces = [];
  let line = 1;
  let end = 0;
  for (;;) {
    let kind = scanner.scan();
    if (kind === SyntaxKind.EndOfFile) return tokens;
    if (isSlash(kind) && !ENDS_OF_VALUES.has(before)) kind = scanner.reScanSlashToken();
    if (kind === SyntaxKind.CloseBraceToken && braces.pop()) {
      kind = scanner.reScanTemplateToken(false);
      if (kind === SyntaxKind.TemplateMiddle) braces.push(true);
    }
    if (kind === SyntaxKind.OpenBraceToken) braces.push(false);
    if (kind === SyntaxKind.TemplateHead) braces.push(true);
    const start = scanner.getTokenStart();
    line += linesIn(code.slice(end, start));
    end = scanner.getTokenEnd();
    const text = code.slice(start, end);
    if (kind !== SyntaxKind.WhitespaceTrivia && kind !== SyntaxKind.NewLineTrivia) {
      tokens.push({ kind, text, line });
    }
    line += linesIn(text);
    if (!TRIVIA.has(kind)) before = kind;
  }
}

/** @param {SyntaxKind} kind */
const isSlash = (kind) => kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken;

/** @param {string} text */
export const linesIn = (text) => text.split('\n').length - 1;

/**
 * @param {string} code
 * @returns {{code: number, comment: number}} lines; one that has both is code, an empty one is neither
 */
export function countLines(code) {
  const lines = code.split('\n');
  const ofCode = new Set();
  const ofComment = new Set();
  for (const token of tokensOf(code)) {
    const of = isComment(token) ? ofComment : ofCode;
    for (let line = token.line; line <= token.line + linesIn(token.text); line++) {
      if (lines[line - 1].trim() !== '') of.add(line);
    }
  }
  return { code: ofCode.size, comment: [...ofComment].filter((line) => !ofCode.has(line)).length };
}
