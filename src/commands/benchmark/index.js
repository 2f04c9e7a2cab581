import { beyondRunsMs } from './policy/breakdowns.js';

/** @import { Notice } from '../../store/types.js' */
/** @import { Measuring } from '../types.js' */

/** Cells side by side, timed and tested: what is done where no command is named. @type {Measuring} */
export default {
  name: 'benchmark',
  ownOptions: async () => (await import('../agents/options.js')).OPTIONS,
  withDetails: { breakdown: 'best' },
  worker: () => import('../../worker/cell.js'),
  run: () => import('./run-group.js'),
  conclude: () => import('./conclude.js'),
  otherServers: ({ agents }) => [{ flag: '--agents', url: `${agents}` }],
  fleet: async ({ agents }) => (agents === undefined ? null : import('../agents/fleet.js')),

  checkSettings: async (settings) => (await import('./assertions.js')).checkSyntax(settings),

  resolve: async (given, suite, table) => (await import('./settings.js')).resolveOptions(given, suite, table),

  // Breakdowns of all need one; timed runs are placed as theirs are.
  plan: async () => ({
    relays: ({ breakdown }) => breakdown === 'all',
    afterMs: beyondRunsMs,
  }),

  // What other machines do cannot be decided here.
  settle: async (settings) => ({
    settings: settings.agents === undefined ? settings : { ...settings, cpus: 'asleep' },
    notes: [],
  }),

  async prepare(settings, cells, onEvent) {
    const { checkReferences } = await import('./assertions.js');
    checkReferences(settings.assert, settings.assertStrict, cells);
    if (settings.profile?.folder == null) return {};
    const { createProfileFiles } = await import('../why/profile-cell.js');
    const warn = (/** @type {Notice} */ fact) => onEvent({ type: 'note', cell: null, fact });
    return { keepProfile: createProfileFiles(settings.profile.folder, warn) };
  },
};
