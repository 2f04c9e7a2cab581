import { formatOption, outputOption } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'profile',
  summary: 'describe recorded traffic: commands, sizes, keys, rates',

  define: (command) =>
    void command
      .argument('<file>', "a profile that 'record' has written")
      .addOption(formatOption(['table', 'html', 'json'], 'how it is printed'))
      .addOption(outputOption()),

  async run({ format, output }, { stdout, env, tools }, file) {
    const { describeProfile } = await import('../../benchmark/describe-profile.js');
    if (output !== undefined) tools.checkWritable(output, { reads: [file] });
    const summary = tools.printableDeep(await describeProfile(file));
    await tools.printData(summary, { format, output }, stdout, async () => {
      if (format === 'html') {
        return (await import('../../traffic/traffic-page.js')).renderTrafficPage(summary);
      }
      const { trafficTable } = await import('../../traffic/traffic-table.js');
      return trafficTable(summary, tools.viewOf({ output }, { stdout, env }));
    });
  },
};
