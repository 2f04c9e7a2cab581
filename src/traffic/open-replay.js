import { createContent } from './content.js';
import { planReplay } from './plan-replay.js';
import { readProfile } from './read-profile.js';
import { createRecordedCommands } from './recorded-commands.js';
import { createRecordedOrder } from './recorded-order.js';
import { createReplayKeys } from './replay-keys.js';
import { createReplaySteps } from './replay-steps.js';
import { prepareReplay, resetGrown } from './store-replay.js';

/** @import { OpenContext, OpenedWorkload } from '../plugins/types.js' */

/**
 * Reads a recording and makes of it what operations draw from: each is one of its commands, in the order in which
 * the service sent them, over and over.
 *
 * @param {string} file
 * @param {OpenContext} context
 * @returns {Promise<OpenedWorkload>}
 */
export async function openReplay(file, { keyPrefix, slots, part, removal }) {
  const keys = createReplayKeys({ prefix: keyPrefix, slots });
  const content = createContent();
  const commands = createRecordedCommands(keys, content);
  const plan = planReplay(commands.add);
  const { header } = await readProfile(file, plan.line);
  plan.end();
  const all = commands.all();
  const order = createRecordedOrder(all, part);
  const { steps, cycle } = createReplaySteps(
    all.map(({ recorded }) => recorded),
    order.taken,
  );
  return {
    items: { next: order.next, restart: () => {}, all: () => [], keys: keys.all },
    steps,
    cycle,
    schedule: order.schedule,
    async store(connection) {
      // What is tried must find what a run finds: the groups of streams.
      await resetGrown(connection, commands, { removal, content });
      const { remarks, failing } = await prepareReplay(connection, commands, {
        sizesKnown: header.replies === 'seen',
      });
      const transactions = order.leaveOut(failing);
      await resetGrown(connection, commands, { removal, content });
      return transactions === 0
        ? remarks
        : [...remarks, `transactions with such commands are not replayed: ${transactions} of them`];
    },
    ...(commands.grown().length > 0 && {
      reset: (connection) => resetGrown(connection, commands, { removal, content }),
    }),
  };
}
