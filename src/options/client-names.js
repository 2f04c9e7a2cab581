import { naming, UsageError } from '../core/errors.js';
import { checkVariant } from './client-options.js';
import { inlineText, readInlineOptions } from './inline-options.js';
import { knownName } from './plugin-names.js';

/** @import { AskedClient } from '../core/plan/types.js' */
/** @import { ClientPlugin } from '../core/plugins/types.js' */

/** `client@release:variant{options}`. A release that is a path has a colon of its own. */
const CLIENT = /^(?<id>[^@:{]*)(?:@(?<wanted>(?:path:)?[^:{]*))?(?::(?<variant>[^{]*))?(?<inline>\{.*)?$/s;
/** A version, a range or a tag, but nothing that npm would take for a path or an option. */
const RELEASE = /^(?:path:.+|[\w.*^~<>=|][\w.*^~<>=|+ -]*)$/;

/**
 * @param {string} name such as `redis@5.8:tuned`, `redis@path:../fork` or `redis{RESP:2}` @param {Map<string, ClientPlugin>} clients
 * @param {Record<string, Record<string, Record<string, unknown>>>} [own] variants of the user's by client and name
 * @returns {AskedClient} @throws {UsageError}
 */
export function parseClient(name, clients, own = {}) {
  const { id = name, wanted = null, variant: asked, inline } = CLIENT.exec(name)?.groups ?? {};
  const variant = (inline !== undefined && asked === '' ? undefined : asked) ?? 'default';
  const client = /** @type {ClientPlugin} */ (clients.get(knownName('client', id, clients.keys())));
  if (wanted !== null && !RELEASE.test(wanted)) {
    throw new UsageError(
      `'${name}': expected a release after the @, such as ${id}@5, ${id}@5.8.3, ${id}@latest or ${id}@path:../folder`,
    );
  }
  const ofUser = own[id] ?? {};
  knownName(`${id} variant`, variant, [...Object.keys(client.variants), ...Object.keys(ofUser)]);
  const isOwn = Object.hasOwn(ofUser, variant);
  if (inline === undefined && !isOwn) return { client: id, variant, wanted };
  const base = isOwn ? 'default' : variant;
  const options = { ...(isOwn && ofUser[variant]), ...(inline !== undefined && readInline(inline, client)) };
  const written =
    inline === undefined ? variant : `${variant === 'default' ? '' : variant}${inlineText(options)}`;
  return { client: id, variant: written, wanted, own: { base, options } };
}

/** @param {string} text @param {ClientPlugin} client */
function readInline(text, client) {
  const source = `--clients ${client.id}{…}`;
  const options = naming(source, () => readInlineOptions(text));
  checkVariant(options, source, client);
  return options;
}
