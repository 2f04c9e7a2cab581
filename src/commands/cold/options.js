import { inGroup } from '../../options/option-table.js';
import * as kinds from '../../options/values.js';

export const OPTIONS = inGroup('compare', {
  bundle: [
    kinds.listOf(kinds.oneOf(['none', 'esbuild'])),
    'the client as installed (none), or in one file (esbuild)',
  ],
});
