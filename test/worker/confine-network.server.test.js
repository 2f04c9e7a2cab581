import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { makeCertificates } from '../../src/server/certificates.js';

const OUTGOING = new URL('../../src/worker/confine-network.js', import.meta.url).href;

/** Connects in a process that is confined, in each way that a client may. @param {object} trusted @param {number} port @param {object} options */
async function connect(trusted, port, options) {
  const code = `
    import { connect as early } from 'node:tls';
    import tls from 'node:tls';
    import { confine } from ${JSON.stringify(OUTGOING)};
    await confine({ addresses: null, onlyTls: [], tls: ${JSON.stringify(trusted)} }, []);
    const options = { ...${JSON.stringify(options)}, checkServerIdentity: () => undefined };
    const address = { host: '127.0.0.1', port: ${port} };
    const ways = [
      () => tls.connect({ ...address, ...options }),
      () => early({ ...address, ...options }),
      () => tls.connect(${port}, '127.0.0.1', options),
      () => tls.connect(${port}, options),
    ];
    for (const way of ways) {
      const socket = way();
      const how = await new Promise((resolve) => {
        socket.once('secureConnect', () => resolve('trusted'));
        socket.once('error', ({ code }) => resolve(code));
      });
      socket.destroy();
      console.log(how);
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  return [...new Set(stdout.trim().split('\n'))];
}

describe('a process that is confined', () => {
  it('trusts whom its owner trusts, whatever the options of a client say', async () => {
    const { ca, cert, key } = makeCertificates();
    const server = tls.createServer({ cert, key }, (socket) => socket.on('error', () => {}));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const strict = { rejectUnauthorized: true };
    for (const options of [{}, { rejectUnauthorized: false }, { ca }, { ca, servername: 'localhost' }]) {
      const [how, ...others] = await connect(strict, port, options);
      assert.deepEqual([others, /CERT|SELF_SIGNED|VERIFY/.test(how)], [[], true], how);
    }
    assert.deepEqual(await connect({ ...strict, ca }, port, { ca: 'none' }), ['trusted']);
    assert.deepEqual(await connect({ rejectUnauthorized: false }, port, strict), ['trusted']);
    server.close();
  });
});
