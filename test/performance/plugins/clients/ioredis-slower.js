import ioredis from '../../../../src/plugins/clients/ioredis.js';

/** A GET of ioredis on a shared connection takes 9 to 10 µs of CPU here, so this is about 5 %. */
const EXTRA_US = 0.5;
const CALIBRATION = 5_000_000;

/** ioredis with a little more work for each GET: a difference that is known. */
export default {
  ...ioredis,
  id: 'ioredis-slower',
  title: 'ioredis, made slower',
  variants: { default: {} },
  variantWords: {},
  since: {},
  switches: {},

  /** @type {typeof ioredis.connect} */
  async connect(target, options, library) {
    const connection = await ioredis.connect(target, options, library);
    const turns = Math.round(CALIBRATION * (EXTRA_US / calibrate()));
    const get = connection.get.bind(connection);
    connection.get = (key) => {
      spin(turns);
      return get(key);
    };
    return connection;
  },
};

let sink = 0;

/** @param {number} turns */
function spin(turns) {
  let value = sink;
  for (let turn = 0; turn < turns; turn++) value = (value * 1103515245 + 12345) & 0x7fffffff;
  sink = value;
}

/** @returns {number} µs that the calibration takes, at best */
function calibrate() {
  const times = [1, 2, 3, 4, 5].map(() => {
    const startedAt = performance.now();
    spin(CALIBRATION / 5);
    return (performance.now() - startedAt) * 1000;
  });
  return Math.min(...times) * 5;
}
