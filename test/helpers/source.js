/**
 * @param {string} code
 * @returns {string} the code without comments; texts and patterns stay, whatever is in them
 */
export function stripComments(code) {
  const part =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:?&|]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\//g;
  return code.replace(part, (text) => (text.startsWith('/*') || text.startsWith('//') ? '' : text));
}
