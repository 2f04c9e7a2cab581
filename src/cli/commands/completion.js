import { OPTIONS as OF_AGENTS } from '../../commands/agents/options.js';
import { UsageError } from '../../errors.js';
import { loadOptions } from '../../options/catalogue.js';
import { loadPlugin } from '../../plugins/registry.js';
import { COMMANDS, DEFAULT, loadCommand } from '../commands.js';
import { Argument, createCommand, valuesOf, withValues } from '../options.js';

/** @import { Argument as Operand, Option } from 'commander' */
/** @import { CliContext, CommandPart } from '../types.js' */

/** Asked by the shells for what the words in COMPLETE_WORDS, one a line, may go on with. */
const NEXT = 'next';
const FILES = ':files';
const TOOL = 'redis-pipe-bench';

/** What each shell is told: the words up to the cursor go to the tool, which answers with lines of `value meaning`. */
const SCRIPTS = {
  bash: `_redis_pipe_bench() {
  local words line
  read -ra words <<< "\${COMP_LINE:0:COMP_POINT}"
  [[ \${COMP_LINE:0:COMP_POINT} == *' ' ]] && words+=('')
  # Bash completes only what follows the last : or =.
  local current=\${words[-1]} kept=
  [[ $current == *[:=]* ]] && kept=\${current%"\${current##*[:=]}"}
  COMPREPLY=()
  while read -r line _; do
    if [[ $line == ${FILES} ]]; then compopt -o default; else COMPREPLY+=("\${line#"$kept"}"); fi
  done < <(COMPLETE_WORDS=$(printf '%s\\n' "\${words[@]:1}" .) ${TOOL} completion ${NEXT} 2>/dev/null)
}
complete -F _redis_pipe_bench ${TOOL}`,

  zsh: `#compdef ${TOOL}
_redis_pipe_bench() {
  local -a lines
  lines=("\${(@f)$(COMPLETE_WORDS="\${(F)words[2,CURRENT]}"$'\\n.' ${TOOL} completion ${NEXT} 2>/dev/null)}")
  if [[ $lines[1] == ${FILES} ]]; then _files; return; fi
  lines=("\${(@)lines//:/\\\\:}")
  lines=("\${(@)lines/ /:}")
  [[ -n $lines[1] ]] && _describe '${TOOL}' lines
}
compdef _redis_pipe_bench ${TOOL}`,

  fish: `function __redis_pipe_bench
  set -lx COMPLETE_WORDS (string join \\n -- (commandline -opc)[2..] (commandline -ct) . | string collect)
  set -l lines (${TOOL} completion ${NEXT} 2>/dev/null)
  if test "$lines[1]" = ${FILES}
    __fish_complete_path (commandline -ct)
  else
    string replace ' ' \\t -- $lines
  end
end
complete -c ${TOOL} -f -a '(__redis_pipe_bench)'`,
};

/** @type {CommandPart} */
export const completion = {
  define: (command) =>
    void command.addArgument(
      withValues(new Argument('[shell]', Object.keys(SCRIPTS).join(', ')), Object.keys(SCRIPTS)),
    ),

  async run(_options, context, shell) {
    if (shell === NEXT) {
      // A last line keeps shells from dropping an empty word before it.
      const words = (context.env.COMPLETE_WORDS ?? '').split('\n').slice(0, -1);
      context.stdout.lines(await candidates(words, context));
      return;
    }
    const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
    if (script === undefined) {
      const expected = Object.keys(SCRIPTS).join(', ');
      throw new UsageError(`completion: expected one of ${expected}, got '${shell ?? ''}'`);
    }
    context.stdout.lines(script.split('\n'));
  },
};

/** @param {string[]} words the last one may be incomplete @param {CliContext} context @returns {Promise<string[]>} */
async function candidates(words, context) {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const name = before[0] in COMMANDS ? before[0] : DEFAULT;
  const command = createCommand(name);
  const options = await loadOptions(context.pluginFolders, OF_AGENTS);
  (await loadCommand(name)).define?.(command, { ...context, options });
  const takenBy = (/** @type {string | undefined} */ word) =>
    command.options.find(({ long, short, required }) => required && word && [long, short].includes(word));

  const [, flag, value = typed] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? [];
  const option = takenBy(flag ?? before.at(-1));
  if (option?.attributeName() === 'clients') await addVariants(option, value, context);
  if (option)
    return ofValue(option, value).map((each) => (each === FILES || !flag ? each : `${flag}=${each}`));
  /** @param {string[]} row */
  const starting = ([word, meaning]) => (word.startsWith(typed) ? [`${word} ${meaning}`] : []);
  if (typed.startsWith('-'))
    return command.options
      .map(({ long, description }) => [`${long}`, firstOf(description)])
      .flatMap(starting);
  const operands = before.filter((word, index) => !word.startsWith('-') && !takenBy(before[index - 1]));
  if (operands.length === 0)
    return Object.entries(COMMANDS)
      .map(([word, [, text]]) => [word, text])
      .flatMap(starting);
  const argument = command.registeredArguments[operands.length - 1];
  return name === DEFAULT || argument === undefined ? [] : ofValue(argument, typed);
}

/** A client's file has its variants. @param {Option} option @param {string} typed @param {CliContext} context */
async function addVariants(option, typed, { pluginFolders }) {
  const [id] = typed.slice(typed.lastIndexOf(',') + 1).split(':');
  const values = valuesOf(option);
  if (!values.includes(id)) return;
  const { variants } = await loadPlugin('clients', id, pluginFolders);
  const others = Object.keys(variants).filter((name) => name !== 'default');
  withValues(option, [...values, ...others.map((name) => `${id}:${name}`)]);
}

/** @param {string} help @returns {string} what fits a line */
const firstOf = (help) => help.replace(/\s*(?:;|\(|: ).*/s, '');

/** @param {Option | Operand} taker @param {string} typed @returns {string[]} */
function ofValue(taker, typed) {
  if (/^(?:[~.]{1,2}\/|\/)/.test(typed)) return [FILES];
  const values = valuesOf(taker);
  if (values.length === 0) return /file|path|folder|result|base|new/.test(nameOf(taker)) ? [FILES] : [];
  const isList = nameOf(taker) === 'list';
  const kept = isList ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const named = kept.split(',');
  return values
    .filter((each) => !named.includes(each))
    .map((each) => kept + each)
    .filter((each) => each.startsWith(typed));
}

/** @param {Option | Operand} taker what its value is called */
const nameOf = (taker) => ('flags' in taker ? (/[<[]([^>\]]*)/.exec(taker.flags)?.[1] ?? '') : taker.name());
