import { lookup } from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';

/** @import { NodeAddress } from '../server/types.js' */
/** @import { Confinement } from './types.js' */

/**
 * Leads this process to other addresses than servers announce, unknown to the client. A client that is told by an option
 * behaves differently: ioredis 6.0.0 has no entry of `natMap` for what it learns from MOVED, and asks any node; node-redis
 * 6.3.1 takes its primary for a new one whenever Sentinels publish anything, connects again, and repeats what was unanswered.
 * @param {Record<string, NodeAddress>} addressMap by `host:port`
 */
export const leadElsewhere = (addressMap) =>
  changeConnect((socket, connect, args) => {
    const [first, ...more] = flat(args);
    const address = typeof first === 'object' && addressMap[`${first.host}:${first.port}`];
    return Reflect.apply(connect, socket, address ? [{ ...first, ...address }, ...more] : args);
  });

/** @param {(socket: any, connect: Function, args: any[]) => any} change what becomes of each call of Socket.connect() */
function changeConnect(change) {
  const { connect } = net.Socket.prototype;
  /** @this {net.Socket} @param {any[]} args */
  net.Socket.prototype.connect = function (...args) {
    return change(this, connect, args);
  };
}

/** net.connect() hands its own arguments on as one. @param {any[]} args of Socket.connect() */
const flat = (args) => (Array.isArray(args[0]) ? args[0] : args);

/**
 * Keeps the sockets of this process from all other addresses, wherever they come from: the job, an option of a client, a
 * redirection of a cluster, a Sentinel. All that Node connects goes through this one method, TLS and HTTP included.
 * Libraries that open sockets of their own do not: see `ownSockets` of clients.
 * @param {Confinement} confinement @param {string[]} own how the unix sockets begin that this process needs for itself
 */
export async function confine({ addresses, onlyTls, tls: trusted, who }, own) {
  trustOnly(trusted);
  if (addresses === null) return;
  const allowed = await withIps(addresses);
  const secured = await withIps(onlyTls);
  changeConnect((socket, connect, args) => {
    const target = targetOf(flat(args));
    const inClear = secured.has(target) && !socket.encrypted;
    if ((allowed.has(target) && !inClear) || own.some((start) => target.startsWith(start))) {
      return Reflect.apply(connect, socket, args);
    }
    const scheme = target.startsWith('/') ? 'unix' : 'redis';
    const what = inClear ? `${target} without TLS` : `${target} (--allow ${scheme}://${target})`;
    // Fails later, as a connection does: clients do not listen to errors yet.
    socket.connecting = true;
    setImmediate(() => socket.destroy(new Error(`${who} is not allowed to connect to ${what}`)));
    return socket;
  });
}

/**
 * Certificates are checked as the confinement says, by the name of the host. All that Node secures goes through this
 * function. @param {Confinement['tls']} trusted
 */
function trustOnly(trusted) {
  const { ca, cert, key, rejectUnauthorized } = trusted;
  const { checkServerIdentity, connect } = tls;
  const own = {
    ca,
    cert,
    key,
    rejectUnauthorized,
    checkServerIdentity,
    secureContext: undefined,
    pskCallback: undefined,
  };
  /** @param {any[]} args */
  const confined = (...args) => {
    const given = args.find((each) => typeof each === 'object' && each !== null);
    const { host = typeof args[1] === 'string' ? args[1] : 'localhost' } = given ?? {};
    const servername = trusted.servername ?? (net.isIP(host) === 0 ? host : '');
    const options = {
      ...given,
      ...own,
      servername,
      ...(typeof args[0] === 'number' && { host, port: args[0] }),
    };
    return connect(
      options,
      args.find((each) => typeof each === 'function'),
    );
  };
  Object.assign(tls, { connect: confined });
  syncBuiltinESMExports();
}

/** @param {any[]} args of Socket.connect() @returns {string} as `--allow` names it */
function targetOf([first, second]) {
  if (typeof first === 'string' && Number.isNaN(Number(first))) return first;
  const { path, host, port } = typeof first === 'object' ? first : { path: '', host: second, port: first };
  // Node, too, takes a list of one text for a text.
  return path ? String(path) : atPort(host && typeof host !== 'function' ? String(host) : 'localhost', port);
}

/** @param {string} host @param {unknown} port */
const atPort = (host, port) => `${net.isIPv6(host) ? `[${host}]` : host.toLowerCase()}:${Number(port)}`;

const HOST_AND_PORT = /^\[?(?<host>[^/]+?)\]?:(?<port>\d+)$/;

/** With the IPs of hosts: some clients look them up. @param {string[]} targets @returns {Promise<Set<string>>} */
async function withIps(targets) {
  const found = targets.map(async (target) => {
    const { host, port } = HOST_AND_PORT.exec(target)?.groups ?? {};
    if (host === undefined) return target;
    const all = net.isIP(host) ? [] : await lookup(host, { all: true }).catch(() => []);
    return [atPort(host, port), ...all.map(({ address }) => atPort(address, port))];
  });
  return new Set((await Promise.all(found)).flat());
}
