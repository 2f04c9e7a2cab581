import { UsageError } from '../core/errors.js';
import { nounOf, PLUGIN_KINDS } from '../core/plugins/plugin-kinds.js';
import { pluginIds, pluginsWithOptions } from '../core/plugins/registry.js';
import { OPTIONS } from './option-table.js';
import { flagOf } from './read-options.js';
import { listOf, names, namesAmong, ofSchema } from './values.js';

/** @import { BringsOptions, OwnOption, PluginFolders } from '../core/plugins/types.js' */
/** @import { OptionSpec, OptionTable } from './types.js' */

/**
 * Every option: the tool's own, and those of plugins.
 * @param {PluginFolders} [folders] with plugins besides the tool's own @returns {Promise<OptionTable>}
 * @throws {UsageError} where a plugin's option has the name or the flag of another
 */
export async function loadOptions(folders = {}) {
  /** @type {OptionTable} */
  const options = { ...OPTIONS };
  for (const [name, option] of Object.entries(OPTIONS)) {
    const { plugins, kind } = option;
    if (plugins && kind === names)
      options[name] = { ...option, kind: namesAmong(pluginIds(plugins, folders)) };
  }
  for (const plugin of await pluginsWithOptions(folders)) {
    for (const [name, own] of Object.entries(plugin.ownOptions)) {
      options[name] =
        own.flag === undefined ? shared(name, options, plugin) : ownSpec(name, own, options, plugin);
    }
  }
  return options;
}

/** @param {string} name @param {OwnOption} own @param {Record<string, OptionSpec>} others @param {BringsOptions} by */
function ownSpec(
  name,
  { flag = '', help = '', value = { type: 'string' }, default: fallback },
  others,
  { kind, id },
) {
  const word = flag.split(' ')[0];
  const taken = Object.entries(others).find(([other, spec]) => other === name || flagOf(spec) === word);
  if (taken) {
    throw new UsageError(
      `the ${nounOf(kind)} '${id}' brings the option '${name}' (${word}), but there is ${taken[0]} (${taken[1].flag})`,
    );
  }
  const isList = kind === 'scenarios';
  return {
    flag,
    kind: isList ? listOf(ofSchema(value)) : ofSchema(value),
    // Cells have only the options of their scenario, which applies its own default.
    default: isList ? undefined : fallback,
    group: PLUGIN_KINDS[kind].group,
    help: `in the ${nounOf(kind)} ${id}: ${help}${defaultText(fallback)}`,
    owners: [{ kind, id }],
  };
}

/** @param {string} name @param {Record<string, OptionSpec>} options @param {BringsOptions} plugin @returns {OptionSpec} */
function shared(name, options, { kind, id, ownOptions }) {
  const spec = options[name];
  if (spec === undefined) {
    throw new UsageError(
      `the ${nounOf(kind)} '${id}' takes the option '${name}', which does not exist; give it a flag of its own`,
    );
  }
  return {
    ...spec,
    help: `${spec.help}; in the ${nounOf(kind)} ${id}${defaultText(ownOptions[name].default)}`,
    owners: [...(spec.owners ?? []), { kind, id }],
    shared: spec.shared ?? spec.owners === undefined,
  };
}

/** @param {unknown} fallback */
const defaultText = (fallback) =>
  fallback === undefined || typeof fallback === 'boolean' ? '' : ` (default: ${fallback})`;
