import { Session } from 'node:inspector';
import raw from '../../../../src/plugins/clients/raw.js';

/** The bare client in processes of which no profile can be taken. */
export default {
  ...raw,
  id: 'unprofiled',
  title: 'unprofiled',
  floor: false,
  variants: {
    default: {},
    'ends-profiled': { prepare: endsWhenProfiled },
  },

  /** @type {(target: any, options: any) => Promise<any>} */
  connect(target, { prepare }) {
    prepare?.();
    return raw.connect(target);
  },
};

function endsWhenProfiled() {
  const post = Session.prototype.post;
  Session.prototype.post = function (/** @type {any[]} */ ...all) {
    if (all[0] === 'Profiler.start') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10);
    return Reflect.apply(post, this, all);
  };
}
