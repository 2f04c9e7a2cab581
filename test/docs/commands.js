/** A block of code, with its language. */
export const FENCED = /^```(\w*)\n(.*?)^```$/gms;

/** A block that `outputs.js` fills in, with the comment before it that says what prints it. */
export const MARKED = /(<!-- output: (.*?) -->\n```\n)(.*?)^```$/gms;

/** @param {string} page @returns {string} the same without what is printed */
export const withoutOutputs = (page) => page.replace(MARKED, '');

/** In a sentence this names a command and is no example of it. */
const NAME_OF_A_COMMAND = /^redis-pipe-bench (record|init|agent|why|clean)$/;

/** What makes one line of several, as in a shell. */
const CONTINUED = / \\\n\s*/g;

/** @param {string} page its text @returns {string[]} the commands in its blocks, and among its words */
export function commandsIn(page) {
  const text = withoutOutputs(page);
  const blocks = [...text.matchAll(FENCED)].flatMap(([, language, block]) =>
    language === ''
      ? [...block.replace(CONTINUED, ' ').matchAll(/^(?:\S*\$ +)?(?:npx )?(redis-pipe-bench\b.*)$/gm)].map(
          ([, line]) => line,
        )
      : [],
  );
  const words = text.replace(FENCED, '');
  const inline = [...words.matchAll(/`(?:npx )?(redis-pipe-bench [^`]+)`/g)].map(([, line]) => line);
  const examples = [...words.matchAll(/^\| [^|]+ \| (`--[^|]+) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`(--[^`]+)`/g)].map(([, options]) => `redis-pipe-bench ${options}`),
  );
  return [...blocks, ...inline, ...examples]
    .map((line) => line.replaceAll('\n', ' ').replace(/\s+#.*$|\s{3,}.*$| &$/, ''))
    .filter((line) => !NAME_OF_A_COMMAND.test(line));
}

/** @param {string} command @returns {string[]} split as a shell would, at spaces outside of single quotes */
export const wordsOf = (command) =>
  [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
