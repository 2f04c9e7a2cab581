/**
 * @param {string} code
 * @returns {string} the code without comments; strings and patterns stay as they are
 */
export function stripComments(code) {
  const part =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:?&|]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\//g;
  return code.replace(part, (text) => (text.startsWith('/*') || text.startsWith('//') ? '' : text));
}
