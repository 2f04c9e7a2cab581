/**
 * A cell's own process: answers one request of the parent at a time and ends with it.
 * Requests are {id, method, params}, answers {id, result} or {id, error}, all plain JSON.
 */
import { messageOf } from '../errors.js';
import { measureCeiling } from './ceiling.js';
import { createCell } from './cell.js';

/** @type {Awaited<ReturnType<typeof createCell>> | undefined} */
let cell;

/** @type {Record<string, (params: any) => Promise<unknown>>} */
const methods = {
  async prepare(job) {
    cell = await createCell(job);
    return cell.facts;
  },
  'before-run': () => prepared().beforeRun(),
  run: (params) => prepared().run(params, (second) => void process.send?.({ second })),
  stop: async () => cell?.stop(),
  finish: () => prepared().finish(),
  ceiling: measureCeiling,
};

function prepared() {
  if (!cell) throw new Error('the cell was not prepared');
  return cell;
}

process.on('message', async (/** @type {any} */ { id, method, params }) => {
  const answer = await methods[method](params).then(
    (result) => ({ id, result }),
    (error) => ({ id, error: { message: messageOf(error) } }),
  );
  if (process.connected) process.send?.(answer);
});

// The parent is gone, perhaps by kill -9: nobody waits for an orderly end.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
