import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { present } from '../collections.js';

/** @import { Target } from '../server/types.js' */

/** @param {Pick<Target, 'path' | 'host' | 'port'>} target */
export const addressOf = ({ path, host, port }) =>
  path === undefined ? { host, port: present(port) } : { path };

/**
 * @param {Pick<Target, 'path' | 'host' | 'port' | 'tls'>} target
 * @param {{allowHalfOpen?: boolean, onread?: import('node:net').OnReadOpts}} [own]
 */
export function openSocket({ tls, ...target }, own) {
  const options = { ...addressOf(target), noDelay: true, ...own };
  if (target.path !== undefined || tls === undefined) return connect(options);
  const { host = '' } = target;
  // RFC 6066, section 3: no server name for a bare address.
  const servername = isIP(host) === 0 ? host : undefined;
  return connectTls({ servername, ...tls, ...options });
}

/** @param {Pick<Target, 'path' | 'tls'>} target */
export const readyEvent = ({ path, tls }) =>
  path === undefined && tls !== undefined ? 'secureConnect' : 'connect';
