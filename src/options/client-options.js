import * as v from 'valibot';
import { refusedFile, UsageError, withErrorPrefix } from '../errors.js';
import { parseJson, readBounded } from '../process/read-file.js';
import { secretsIn } from '../process/secrets.js';
import { recordOf, text, whole, wrongIn } from '../schema.js';
import { inlineText, readInlineOptions, withoutPrototype } from './inline-options.js';
import { assertKnownName, ownValues, unknown } from './plugin-names.js';
import { isObject } from './values.js';

/** @import { AskedClient } from '../run/plan/types.js' */
/** @import { ClientPlugin } from '../plugins/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { NodeAddress } from '../server/types.js' */
/** @import { Settings } from './types.js' */

/** `client@release:variant{options}`. A release that is a path has a colon of its own. */
const CLIENT = /^(?<id>@?[^@:{]*)(?:@(?<wanted>(?:path:)?[^:{]*))?(?::(?<variant>[^{]*))?(?<inline>\{.*)?$/s;
const OWN_CLIENT = "'redis-pipe-bench init client our-redis.js' begins a file for any other";
/** A version, a range or a tag, but nothing that npm would take for a path or an option. */
const RELEASE = /^(?:path:.+|[\w.*^~<>=|][\w.*^~<>=|+ -]*)$/;

/**
 * @param {string} name such as `redis@5.8:tuned`, `redis@path:../fork` or `redis{RESP:2}`
 * @param {Map<string, ClientPlugin>} clients
 * @returns {AskedClient}
 * @throws {UsageError}
 */
export function parseClient(name, clients) {
  const { id = name, wanted = null, variant: asked, inline } = CLIENT.exec(name)?.groups ?? {};
  const variant = (inline !== undefined && asked === '' ? undefined : asked) ?? 'default';
  const client = clients.get(id);
  if (client === undefined) throw new UsageError(whichClient(id, clients));
  if (wanted !== null && !RELEASE.test(wanted)) {
    throw new UsageError(
      `'${name}': expected a release after the @, such as ${id}@5, ${id}@5.8.3, ${id}@latest or ${id}@path:../folder`,
    );
  }
  assertKnownName(`${id} variant`, variant, Object.keys(client.variants));
  if (inline === undefined) return { client: id, variant, wanted };
  const options = readInline(inline, client);
  const written = `${variant === 'default' ? '' : variant}${inlineText(options)}`;
  return { client: id, variant: written, wanted, own: { base: variant, options } };
}

/** @param {string} id that no client has, perhaps a package's name @param {Map<string, ClientPlugin>} clients */
function whichClient(id, clients) {
  const named = [...clients.values()].find((client) => client.package === id);
  if (named !== undefined) return `unknown client '${id}': here it is called '${named.id}'`;
  return `${unknown('client', id, [...clients.keys()])}; ${OWN_CLIENT}`;
}

/** @param {string} text @param {ClientPlugin} client */
function readInline(text, client) {
  const source = `--clients ${client.id}{…}`;
  const options = withErrorPrefix(source, () => readInlineOptions(text));
  checkVariant(options, source, client);
  return options;
}

/** The tool decides about server, user and keys. */
const NOT_HERE = new Set(
  (
    'url host port path username password credentials credentialsProvider database databaseId ' +
    'db keyPrefix rootNodes sentinels addresses'
  ).split(' '),
);
/** How a cluster's nodes are reached from here, each with a host and a port. */
const ADDRESS_MAPS = new Set(['natMap', 'nodeAddressMap']);
const ADDRESSES = recordOf(v.object({ host: text, port: whole(1, 65_535) }));

/**
 * @param {object[]} all options of clients
 * @returns {Record<string, NodeAddress>} where what a cluster or Sentinels announce is reached, by `host:port`
 */
export const addressMapOf = (all) =>
  Object.assign({}, ...all.flatMap((options) => [...ADDRESS_MAPS].map((name) => Reflect.get(options, name))));

/**
 * Reads options for all clients, `{"disableOfflineQueue": true}`, or those of each by id, `{"redis": {…}, "ioredis": {…}}`.
 * @param {unknown} config @param {string} source its name in errors
 * @param {string[]} measured ids @param {Map<string, ClientPlugin>} clients
 * @returns {{options: Record<string, Record<string, unknown>>, warnings: Notice[]}} by client
 * @throws {UsageError} for a key that no measured client knows
 */
export function readClientOptions(config, source, measured, clients) {
  if (!isObject(config)) throw new UsageError(`${source}: expected a JSON object with options of clients`);
  const ids = [...new Set(measured)];
  const names = Object.keys(config);
  const each = names.length > 0 && names.every((name) => clients.has(name));
  const warnings = each ? [] : strangers(config, source, ids, clients);
  const options = ids.map((id) => {
    if (!each)
      return [id, Object.fromEntries(Object.entries(config).filter(([name]) => knows(clients, id, name)))];
    const own = Object.hasOwn(config, id) ? config[id] : {};
    if (!isObject(own)) throw new UsageError(`${source}: expected the options of ${id} to be an object`);
    strangers(own, `${source}, ${id}`, [id], clients);
    return [id, own];
  });
  return { options: Object.fromEntries(options), warnings };
}

/**
 * Results and names show a variant's options, so they may hold no secrets.
 * @param {Record<string, unknown>} options @param {string} source @param {ClientPlugin} client @throws {UsageError}
 */
export function checkVariant(options, source, client) {
  strangers(options, source, [client.id], new Map([[client.id, client]]));
  const [secret] = secretsIn(options);
  if (secret === undefined) return;
  throw new UsageError(
    `${source}: '${secret}' may hold a secret, and a variant's options appear in names and results; ` +
      'give it to all variants of the client with --config',
  );
}

/**
 * @param {Record<string, unknown>} options @param {string} source @param {string[]} ids
 * @param {Map<string, ClientPlugin>} clients @returns {Notice[]} one for each key that only some of the clients know
 */
function strangers(options, source, ids, clients) {
  refuseServers(options, source);
  return Object.keys(options).flatMap((name) => {
    // The floor has no options, and is not a client for applications.
    const able = ids.filter((id) => !clients.get(id)?.floor);
    const ignorant = able.filter((id) => !knows(clients, id, name));
    if (ignorant.length === able.length) {
      assertKnownName(`client option in ${source}`, name, [
        ...new Set(able.flatMap((id) => clients.get(id)?.options ?? [])),
      ]);
    }
    return ignorant.length === 0 ? [] : [{ kind: 'option-unknown', source, clients: ignorant, option: name }];
  });
}

/** @param {Record<string, unknown>} options @param {string} source @param {string[]} [path] to these options */
function refuseServers(options, source, path = []) {
  for (const [name, value] of Object.entries(options)) {
    const place = [...path, name];
    if (NOT_HERE.has(name)) {
      throw new UsageError(
        `${source}: '${place.join('.')}' is set by this tool; name the server with --url or --socket`,
      );
    }
    if (ADDRESS_MAPS.has(name)) {
      const wrong = wrongIn(ADDRESSES, value);
      if (wrong !== null) throw new UsageError(`${source}: ${place.join('.')}: ${wrong}`);
    } else if (isObject(value)) refuseServers(value, source, place);
  }
}

/** @param {Map<string, ClientPlugin>} clients @param {string} id @param {string} name */
const knows = (clients, id, name) => clients.get(id)?.options?.includes(name) ?? false;

/**
 * @param {Record<string, Record<string, unknown>>} options of a configuration, by client
 * @param {Settings} settings @param {Map<string, ClientPlugin>} clients
 * @returns {Record<string, Record<string, unknown>>} with the values of each client's own options
 */
export const withOwnValues = (options, settings, clients) =>
  Object.fromEntries(
    [...clients].map(([id, { ownOptions }]) => [id, { ...ownValues(ownOptions, settings), ...options[id] }]),
  );

/** @param {unknown} given a JSON file, or its contents @param {string[]} measured ids @param {Map<string, ClientPlugin>} clients */
export async function loadConfig(given, measured, clients) {
  const source = typeof given === 'string' ? `--config ${given}` : 'config';
  if (given === undefined) return { options: {}, warnings: [], source };
  return { ...readClientOptions(await readConfig(given), source, measured, clients), source };
}

/** @param {unknown} file a JSON file, or its contents */
export async function readConfig(file) {
  if (typeof file !== 'string') return file;
  const text = await readBounded(file, { pipes: true }).catch((error) => {
    throw refusedFile(error, `--config: expected a file of JSON, but '${file}'`);
  });
  return withErrorPrefix(`--config ${file}`, () => parseJson(`${text}`, withoutPrototype));
}
