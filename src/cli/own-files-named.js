import { findPluginFiles, OPTIONS } from '../index.js';

/** @import { PluginFolders } from '../plugins/types.js' */

/**
 * Adds the user's own plugins that the command line names by their files, before it is read: they may bring options.
 *
 * @param {string[]} args
 * @param {PluginFolders} [folders]
 * @returns {Promise<PluginFolders | undefined>}
 * @throws {UsageError} where there is no such file
 */
export async function withOwnFiles(args, folders) {
  if (!args.some((arg) => /\.[cm]?js\b/.test(arg))) return folders;
  const named = Object.entries(OPTIONS).flatMap(([name, { flag, plugins }]) => {
    const value = plugins && valueAfter(args, flag.split(' ')[0]);
    return value === undefined ? [] : [[name, value]];
  });
  return findPluginFiles(Object.fromEntries(named), folders);
}

/** @param {string[]} args @param {string} flag @returns {string | undefined} as it was given last */
function valueAfter(args, flag) {
  const at = args.findLastIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (at === -1) return undefined;
  return args[at] === flag ? args[at + 1] : args[at].slice(flag.length + 1);
}
