/**
 * Determines whether a mail really is from a channel, by the DKIM results that the receiving mail
 * server added (RFC 8601). Senders can forge such headers, so only the header with the receiving
 * server's authserv-id counts.
 */
type Refused = 'no_trusted_result' | 'no_dkim_pass' | 'other_domain' | 'not_from_a_channel';
export type DkimVerdict =
  | { readonly aligned: true; readonly domain: string }
  | { readonly aligned: false; readonly reason: Refused };

/**
 * Checks that the sender's domain belongs to the channel, and that a DKIM signature of that domain
 * passed.
 * @param headers Authentication-Results values, topmost first
 * @param trusted_authserv_id the receiving server's name, or null when no server is trusted
 * @param from_domain the domain of the mail's From
 * @param channel_domains the domains of the channel that the mail claims to be from
 */
export function checkDkimAlignment(
  headers: readonly string[],
  trusted_authserv_id: string | null,
  from_domain: string | null,
  channel_domains: readonly string[],
): DkimVerdict {
  const refused = (reason: Refused) => ({ aligned: false, reason }) as const;
  const trusted = trusted_authserv_id?.trim().toLowerCase();
  if (!trusted) return refused('no_trusted_result');
  // Only the topmost header counts, because the receiving server adds its header above any forged
  // one.
  const own = headers
    .slice(0, 10)
    .map(parseAuthenticationResults)
    .find((header) => header?.authserv_id === trusted);
  if (!own) return refused('no_trusted_result');
  const home = from_domain === null ? null : channel_domains.find((domain) => isSameOrSubdomain(from_domain, domain));
  if (!home) return refused('not_from_a_channel');
  const passed = own.results.filter((entry) => entry.method === 'dkim' && entry.result === 'pass');
  if (passed.length === 0) return refused('no_dkim_pass');
  for (const { properties } of passed) {
    const signer = properties.get('header.d') ?? properties.get('header.i')?.split('@').at(-1) ?? '';
    if (isSameOrSubdomain(signer, home)) return { aligned: true, domain: signer.toLowerCase() };
  }
  return refused('other_domain');
}

/** Returns whether `domain` equals `parent` or is a subdomain of it. */
export function isSameOrSubdomain(domain: string, parent: string): boolean {
  const inner = domain.trim().toLowerCase().replace(/\.$/, '');
  const outer = parent.trim().toLowerCase();
  return outer !== '' && (inner === outer || inner.endsWith(`.${outer}`));
}

// Matches only at the start of a word, so that a long word without "=" takes linear time.
const PAIR = /(?<![\w.-])([\w.-]+) ?= ?(?:"([^"]*)"|([^ ;"]+))/g;

/** Parses one header. Returns null when it is malformed. */
export function parseAuthenticationResults(value: string) {
  const { text, whole } = withoutComments(value.slice(0, 8_000));
  const parts = splitOutsideQuotes(text);
  const id = /^\s*([^\s;=]+)(?:\s+\d+)?\s*$/.exec(parts[0] ?? '')?.[1];
  if (!id) return null;
  // After an unclosed quotation or comment, the rest of the header may be forged, so no result is
  // used.
  const results = (whole ? parts.slice(1) : []).flatMap((part) => {
    const pairs = [...part.replace(/\s+/g, ' ').matchAll(PAIR)];
    const [first, ...rest] = pairs;
    if (!first) return [];
    const properties = new Map<string, string>();
    for (const pair of rest) {
      const key = pair[1]!.toLowerCase();
      // Only the first value of a property counts, so that a forged second `header.d` cannot
      // replace it.
      if (!properties.has(key)) properties.set(key, pair[2] ?? pair[3] ?? '');
    }
    return [{ method: first[1]!.toLowerCase(), result: (first[2] ?? first[3] ?? '').toLowerCase(), properties }];
  });
  return { authserv_id: id.replace(/^"|"$/g, '').toLowerCase(), results };
}

function withoutComments(value: string): { text: string; whole: boolean } {
  let depth = 0;
  let quoted = false;
  let out = '';
  for (let index = 0; index < value.length; index += 1) {
    const letter = value[index]!;
    // An escaped quote does not end a quotation. Otherwise a sender's address could end the
    // quotation early and add a forged result.
    if (letter === '\\') index += 1;
    else if (letter === '"' && depth === 0) {
      quoted = !quoted;
      out += letter;
    } else if (letter === '(' && !quoted) depth += 1;
    else if (letter === ')' && !quoted && depth > 0) depth -= 1;
    else if (depth === 0) out += letter;
  }
  return { text: out, whole: !quoted && depth === 0 };
}

const splitOutsideQuotes = (value: string) => value.match(/(?:"[^"]*"|[^;"])+/g) ?? [];
