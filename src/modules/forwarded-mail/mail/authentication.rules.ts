/**
 * Whether a mail really comes from a channel: DKIM as the receiving provider verified it (RFC 8601). Only that
 * provider's own header counts, named by its authserv-id; anybody can write one into a mail.
 */

export type DkimVerdict =
  | { readonly aligned: true; readonly domain: string }
  | {
      readonly aligned: false;
      readonly reason: 'no_trusted_result' | 'no_dkim_pass' | 'other_domain' | 'not_from_a_channel';
    };

export interface AuthenticationResult {
  readonly authserv_id: string;
  readonly results: readonly {
    readonly method: string;
    readonly result: string;
    readonly properties: ReadonlyMap<string, string>;
  }[];
}

/**
 * @param headers Authentication-Results values, topmost first
 * @param trusted_authserv_id the receiving server's name, or null when there is none to trust
 * @param from_domain the domain of the mail's From
 * @param channel_domains the domains of the channel the mail claims to be from
 */
export function dkimAlignment(
  headers: readonly string[],
  trusted_authserv_id: string | null,
  from_domain: string | null,
  channel_domains: readonly string[],
): DkimVerdict {
  const refused = (reason: 'no_trusted_result' | 'no_dkim_pass' | 'other_domain' | 'not_from_a_channel') =>
    ({ aligned: false, reason }) as const;
  const trusted = trusted_authserv_id?.trim().toLowerCase();
  if (!trusted) return refused('no_trusted_result');
  // Only the topmost: the receiving server writes above whatever the sender put there in its name.
  const own = headers
    .slice(0, 10)
    .map(parseAuthenticationResults)
    .find((header) => header?.authserv_id === trusted);
  if (!own) return refused('no_trusted_result');
  const home = from_domain === null ? null : channel_domains.find((domain) => isWithin(from_domain, domain));
  if (!home) return refused('not_from_a_channel');
  const passed = own.results.filter((entry) => entry.method === 'dkim' && entry.result === 'pass');
  if (passed.length === 0) return refused('no_dkim_pass');
  for (const { properties } of passed) {
    const signer = properties.get('header.d') ?? properties.get('header.i')?.split('@').at(-1) ?? '';
    if (isWithin(signer, home)) return { aligned: true, domain: signer.toLowerCase() };
  }
  return refused('other_domain');
}

/** Whether a domain is the other or below it. */
export function isWithin(domain: string, parent: string): boolean {
  const inner = domain.trim().toLowerCase().replace(/\.$/, '');
  const outer = parent.trim().toLowerCase();
  return outer !== '' && (inner === outer || inner.endsWith(`.${outer}`));
}

// Only from a word's beginning: a long word without "=" would be tried from each of its letters.
const PAIR = /(?<![\w.-])([\w.-]+) ?= ?(?:"([^"]*)"|([^ ;"]+))/g;

/** Takes one header apart; null when it is not one. */
export function parseAuthenticationResults(value: string): AuthenticationResult | null {
  const parts = splitOutsideQuotes(withoutComments(value.slice(0, 8_000)));
  const id = /^\s*([^\s;=]+)(?:\s+\d+)?\s*$/.exec(parts[0] ?? '')?.[1];
  if (!id) return null;
  const results = parts.slice(1).flatMap((part) => {
    const pairs = [...part.replace(/\s+/g, ' ').matchAll(PAIR)];
    const [first, ...rest] = pairs;
    if (!first) return [];
    const properties = new Map<string, string>();
    for (const pair of rest) {
      const key = pair[1]!.toLowerCase();
      // The first wins: a second header.d cannot stand in for it.
      if (!properties.has(key)) properties.set(key, pair[2] ?? pair[3] ?? '');
    }
    return [{ method: first[1]!.toLowerCase(), result: (first[2] ?? first[3] ?? '').toLowerCase(), properties }];
  });
  return { authserv_id: id.replace(/^"|"$/g, '').toLowerCase(), results };
}

function withoutComments(value: string): string {
  let depth = 0;
  let quoted = false;
  let out = '';
  for (let index = 0; index < value.length; index += 1) {
    const letter = value[index]!;
    // What is escaped ends nothing: a sender's own address may hold a quote, and behind it what looks like a result.
    if (letter === '\\') index += 1;
    else if (letter === '"' && depth === 0) {
      quoted = !quoted;
      out += letter;
    } else if (letter === '(' && !quoted) depth += 1;
    else if (letter === ')' && !quoted && depth > 0) depth -= 1;
    else if (depth === 0) out += letter;
  }
  return out;
}

const splitOutsideQuotes = (value: string) => value.match(/(?:"[^"]*"|[^;"])+/g) ?? [];
