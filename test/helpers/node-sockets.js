import { createRequire } from 'node:module';
import { declarationsOf } from '../../src/declared-types.js';

/** @import { Type } from '../../src/declared-types.js' */

const require = createRequire(import.meta.url);
/** In the order of the file. @type {[file: string, names: string[]][]} */
const SOURCES = [
  ['net', ['TcpNetConnectOpts', 'IpcNetConnectOpts']],
  ['tls', ['ConnectionOptions']],
];
const HEAD = `// What node:net and node:tls take, out of @types/node: a test holds it against that, and UPDATE_GOLDEN=1 writes it.
`;

/** @returns {string} what src/process/node-sockets.d.ts has to say */
export function nodeSockets() {
  const manifest = require.resolve('@types/node/package.json');
  const interfaces = SOURCES.flatMap(([file, names]) => {
    const declarations = declarationsOf(manifest.replace('package.json', `${file}.js`));
    return names.map((name) => {
      const [type] = declarations.named([name]) ?? [];
      if (type?.is !== 'object') throw new Error(`@types/node has no ${name}`);
      const lines = [...type.members].map(
        ([member, of]) =>
          `  ${member}?: ${textOf(declarations.alternatives(of), declarations.alternatives)};\n`,
      );
      return `export interface ${name} {\n${lines.join('')}}\n`;
    });
  });
  const either = 'export type SocketConnectOpts = TcpNetConnectOpts | IpcNetConnectOpts;\n';
  return [HEAD, ...interfaces, either].join('\n');
}

/** @param {Type[]} types @param {(type: Type) => Type[]} alternatives @returns {string} as far as JSON can say it */
function textOf(types, alternatives) {
  const texts = types.map((type) => {
    switch (type.is) {
      case 'primitive':
        return type.name === 'undefined' ? [] : type.name;
      case 'value':
        return `'${type.value}'`;
      case 'code':
        return '() => void';
      case 'array':
        return `Array<${textOf(alternatives(type.of), alternatives)}>`;
      default:
        return 'unknown';
    }
  });
  const all = new Set(texts.flat());
  if (all.has('unknown')) return 'unknown';
  return [...all].map((text) => (all.size > 1 && text.startsWith('()') ? `(${text})` : text)).join(' | ');
}
