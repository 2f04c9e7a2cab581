import { userStateFolder } from '../../core/store/state-folder.js';
import { formatOption } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'history',
  summary: 'list saved results, newest first',

  define: (command) => void command.addOption(formatOption(['table', 'json'], 'how they are listed')),

  async run({ format }, { stdout, env, tools, say }) {
    const { listSaved } = await import('../../history/saved-results.js');
    const { historyTable, savedSummary } = await import('../../history/history-table.js');
    const folder = userStateFolder(env);
    const saved = (folder === null ? [] : await listSaved(folder)).map(savedSummary);
    if (format === 'table' && saved.length === 0)
      say(`nothing is saved in ${folder ?? 'a state folder: this user has no home'}`);
    else
      await tools.printData(saved, { format }, stdout, (_, width) =>
        historyTable(saved, folder ?? '', width),
      );
  },
};
