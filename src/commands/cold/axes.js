import { defineAxis } from '../../axes/define.js';

/** Empty in ids where it was not asked for. */
const bundle = defineAxis({
  id: 'bundle',
  after: 'node',
  role: 'choice',
  asked: (settings) => settings.bundle?.map((each) => ({ bundle: each })) ?? [{}],
  phrase: ({ bundle: by }) => (by === 'none' ? 'not bundled' : by ? `bundled by ${by}` : ''),
  idPart: (cell) => (cell.bundle ? `bundle-${cell.bundle}` : ''),
  advice: { order: 13, noun: 'bundle' },
});

export const AXES = [bundle];
