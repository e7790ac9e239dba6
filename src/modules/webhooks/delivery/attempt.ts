/** One attempt: the stored bytes, signed now, sent through the outbound guard. Reads and writes no database. */
import { appSecret, config } from '@/config';
import { decryptSecret } from '@/infra/encryption';
import { safeFetch } from '@/infra/outbound/client';
import { OutboundError } from '@/infra/outbound/errors';
import { type EchoMask, echoMask } from '@/infra/outbound/mask-echo';
import { clock } from '@/shared/clock';
import { kept } from '@/shared/kept';
import { HEADERS_PURPOSE, SECRET_PURPOSE } from '../service';
import type { CustomHeaders } from './custom-headers.rules';
import type { ClaimedDelivery } from './queue.repository';
import { isAccepted } from './retry.rules';
import { signatureHeaders, signingSecrets } from './signature.rules';

/** Any 2xx within this time is success (DESIGN "Webhooks"). */
export const ATTEMPT_TIMEOUT_MS = 10_000;
const KEPT_BODY_BYTES = 1_024;

export interface Outcome {
  accepted: boolean;
  status_code: number | null;
  /** What went wrong where no complete answer came: `dns`, `tls`, `timeout`, … (infra/outbound/errors.ts). */
  error_kind: string | null;
  error_message: string | null;
  response_body_truncated: string | null;
  duration_ms: number;
  /** When the attempt ended. */
  at: Date;
}

const ACCEPTED = { accepted: true, error_kind: null, error_message: null, response_body_truncated: null };

/** Makes one attempt. Never throws: whatever happens is an outcome. */
export async function attempt(delivery: ClaimedDelivery): Promise<Outcome> {
  let echo: EchoMask | null = null;
  try {
    const { headers, known_secrets } = requestOf(delivery);
    echo = echoMask(known_secrets);
    const response = await safeFetch(delivery.url, {
      method: 'POST',
      headers,
      body: delivery.body,
      timeout_ms: ATTEMPT_TIMEOUT_MS,
      // A secret that begins in the kept part has to be seen whole.
      max_body_bytes: KEPT_BODY_BYTES + echo.longest,
      max_redirects: 0,
      allow_loopback: config().outbound_allow_loopback,
    });
    return {
      accepted: isAccepted(response.status),
      status_code: response.status,
      error_kind: null,
      error_message: null,
      response_body_truncated: storable(response.body, echo),
      duration_ms: response.duration_ms,
      at: clock().now(),
    };
  } catch (error) {
    const known = error instanceof OutboundError ? error : null;
    const status_code = known?.status ?? null;
    // The status line decides: a receiver that answered 2xx has the event, whatever happens to the rest of its answer.
    const accepted = status_code !== null && isAccepted(status_code);
    if (accepted) return { ...ACCEPTED, status_code, duration_ms: known?.duration_ms ?? 0, at: clock().now() };
    return {
      accepted: false,
      status_code,
      error_kind: known?.kind ?? 'internal',
      error_message: known ? (echo?.mask(known.message) ?? known.message) : 'The attempt could not be made.',
      response_body_truncated: null,
      duration_ms: known?.duration_ms ?? 0,
      at: clock().now(),
    };
  }
}

/** The headers of the request, and all that must not be stored if the receiver sends it back. */
function requestOf(delivery: ClaimedDelivery): { headers: Record<string, string>; known_secrets: string[] } {
  const now = clock().now();
  const secrets = signingSecrets(delivery, now).map((secret) => decrypted(SECRET_PURPOSE, secret));
  const custom = delivery.custom_headers && decrypted(HEADERS_PURPOSE, delivery.custom_headers);
  const own = custom ? (JSON.parse(custom) as CustomHeaders) : {};
  const signatures = signatureHeaders({ event_id: delivery.event_id, body: delivery.body, secrets, now });
  const headers = {
    ...own,
    'Content-Type': 'application/json',
    'User-Agent': 'Threshold-Webhooks/1',
    'Service-Event': delivery.event_type,
    'Service-Event-Id': delivery.event_id,
    'Service-Delivery-Id': delivery.id,
    'Service-Attempt': String(delivery.attempt_number),
    ...signatures,
  };
  const bare = secrets.map((secret) => secret.replace(/^whsec_/, ''));
  const signed = [signatures['Service-Signature'], signatures['webhook-signature']];
  // Of a signature the digests, not its time.
  const digests = signed.flatMap((value) => value.split(/[\s,]+/).filter((part) => part.length > 20));
  const known_secrets = [
    ...Object.values(own),
    ...secrets,
    ...bare,
    ...digests.map((part) => part.replace(/^v1=/, '')),
  ];
  return { headers, known_secrets };
}

/** Secrets and headers in use, by their encrypted form: a backlog of one endpoint needs the same one thousands of times. */
const secretOf = kept<string>(256);

const decrypted = (purpose: string, encrypted: string): string =>
  secretOf(encrypted, () => decryptSecret(appSecret(), purpose, encrypted));

/** The kept part of an answer, without our secrets, as PostgreSQL can hold it: no NUL, no half of a character at the cut. */
function storable(body: Buffer, echo: EchoMask): string {
  // NUL first: between the characters of a secret it would hide it from the mask.
  return echo.mask(body.toString('utf8').replaceAll('\u0000', ''), KEPT_BODY_BYTES);
}
