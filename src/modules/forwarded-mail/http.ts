/**
 * The two HTTP endpoints for forwarded mail. The first accepts a raw message with a shared secret,
 * from any mail server. The second accepts the provider's signed notice and fetches the message.
 * Their body size limits are in `http-entry/body-limits.ts`.
 */
import { z } from 'zod';
import { config } from '@/config';
import { isEqualInConstantTime } from '@/infra/encryption';
import { logger } from '@/infra/logger';
import { safeFetch } from '@/infra/outbound/client';
import { isSignedByMailProvider } from '@/modules/mail/rules/provider-signature.rules';
import { clock } from '@/shared/clock';
import { findEmailAddressesInText } from './mail/addresses';
import { MAX_MAIL_BYTES } from './mail/limits';
import { getForwardingToken, receiveMail } from './receive';

const FETCH_MS = 15_000;

const answer = (status: number, body: object) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
const refusal = (status: number, message: string) => answer(status, { error: { message } });

/**
 * Returns the error response for a wrong or missing secret, or null when the secret is right. The
 * HTTP entry calls this before reading the body, so that mail from strangers is not buffered.
 */
export function getInboundMailAuthError(authorization: string | null): Response | null {
  const secret = config().inbound_secret;
  if (!secret) return refusal(404, 'Inbound mail is not configured: set INBOUND_SECRET.');
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  if (isEqualInConstantTime(given.trim(), secret)) return null;
  const answered = refusal(401, 'The secret is missing or wrong.');
  answered.headers.set('WWW-Authenticate', 'Bearer');
  return answered;
}

/**
 * Handles POST /api/inbound/email. The body is a raw RFC 5322 message, authenticated by
 * `Authorization: Bearer INBOUND_SECRET`. The recipients are taken from the URL (`?to=`,
 * repeatable), or else from the message's headers. Returns 404 for an unknown address, so that the
 * mail server notifies the sender.
 */
export async function receiveRawMail(request: Request): Promise<Response> {
  const refused = getInboundMailAuthError(request.headers.get('authorization'));
  if (refused) return refused;
  const raw = new Uint8Array(await request.arrayBuffer());
  if (raw.byteLength === 0) return refusal(400, 'The body is empty: send the raw message.');
  const named = new URL(request.url).searchParams.getAll('to').flatMap((text) => text.split(','));
  const recipients =
    named.length > 0
      ? named
      : readMailRecipientAddresses(raw).filter((address) => getForwardingToken(address) !== null);
  const results = await receiveMail(raw, recipients);
  const known = results.some(({ outcome }) => outcome !== 'unknown_address');
  return known ? answer(200, { results }) : refusal(404, 'No recipient is a forwarding address.');
}

const Notice = z.looseObject({
  type: z.string(),
  data: z.looseObject({
    email_id: z.string().regex(/^[\w-]{1,100}$/),
    to: z.array(z.string()).optional(),
    cc: z.array(z.string()).optional(),
    bcc: z.array(z.string()).optional(),
    received_for: z.array(z.string()).optional(),
  }),
});

/**
 * Handles POST /api/inbound/resend, the provider's signed `email.received` notice. Returns 502 when
 * the message cannot be fetched, so that the provider sends the notice again. Messages that were
 * received before are ignored.
 */
export async function receiveMailProviderNotification(request: Request): Promise<Response> {
  const { resend_inbound_webhook_secret: secret, resend_api_key } = config();
  if (!secret || !resend_api_key) return refusal(404, 'Inbound mail by Resend is not configured.');
  const body = await request.text();
  const header = (name: string) => request.headers.get(`svix-${name}`) ?? request.headers.get(`webhook-${name}`);
  const signed = { id: header('id'), timestamp: header('timestamp'), signature: header('signature'), body };
  if (!isSignedByMailProvider(signed, secret, clock().now())) return refusal(401, 'The signature does not match.');
  const notice = parseNotice(body);
  if (notice === 'unreadable') return refusal(400, 'The notice cannot be read.');
  if (notice === 'another') return answer(200, { results: [] });
  const { email_id, to = [], cc = [], bcc = [], received_for = [] } = notice.data;
  const recipients = [...received_for, ...to, ...cc, ...bcc]
    .map((text) => /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text)
    .filter((address) => getForwardingToken(address) !== null);
  if (recipients.length === 0) return answer(200, { results: [] });
  try {
    return answer(200, { results: await receiveMail(await fetchMessage(email_id, resend_api_key), recipients) });
  } catch (error) {
    logger().error({ err: error, email_id }, 'an inbound mail could not be fetched or stored');
    return refusal(502, 'The message could not be fetched.');
  }
}

function parseNotice(body: string): z.infer<typeof Notice> | 'another' | 'unreadable' {
  try {
    const value: unknown = JSON.parse(body);
    const type = z.looseObject({ type: z.string() }).parse(value).type;
    return type === 'email.received' ? Notice.parse(value) : 'another';
  } catch {
    return 'unreadable';
  }
}

const Received = z.looseObject({ raw: z.looseObject({ download_url: z.string() }) });

/**
 * Fetches the raw message that the mail provider announced with a signed notice. Throws when the
 * message does not exist.
 */
async function fetchMessage(email_id: string, key: string): Promise<Uint8Array> {
  const base = config().resend_base_url ?? 'https://api.resend.com';
  const about = await fetch(`${base}/emails/receiving/${email_id}`, {
    headers: { Authorization: `Bearer ${key}`, Accept: 'application/json' },
    signal: AbortSignal.timeout(FETCH_MS),
  });
  if (!about.ok) throw new Error(`The provider answered ${about.status}.`);
  const { raw } = Received.parse(await about.json());
  const { status, body } = await safeFetch(raw.download_url, {
    timeout_ms: FETCH_MS,
    max_body_bytes: MAX_MAIL_BYTES,
    body_policy: 'whole',
    allow_loopback: config().outbound_allow_loopback,
  });
  if (status !== 200) throw new Error(`The message’s address answered ${status}.`);
  return body;
}

const HEADERS = new Set(['delivered-to', 'x-original-to', 'x-forwarded-to', 'envelope-to', 'to', 'cc']);
const MAX_HEADER_BYTES = 256 * 1024;

/**
 * Returns the recipients' addresses from the message's headers, in lower case and without
 * duplicates.
 */
export function readMailRecipientAddresses(raw: Uint8Array): string[] {
  const head =
    Buffer.from(raw.subarray(0, MAX_HEADER_BYTES))
      .toString('latin1')
      .split(/\r?\n\r?\n/, 1)[0] ?? '';
  const found = new Set<string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 0 || !HEADERS.has(line.slice(0, colon).trim().toLowerCase())) continue;
    for (const address of findEmailAddressesInText(line.slice(colon + 1))) found.add(address.toLowerCase());
  }
  return [...found];
}
