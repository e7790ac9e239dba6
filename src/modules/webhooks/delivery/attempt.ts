/**
 * Makes one attempt: signs the stored body and sends it through the outbound guard. Does not access
 * the database.
 */

import { config, getAppSecret } from '@/config';
import { decryptSecret } from '@/infra/encryption';
import { safeFetch } from '@/infra/outbound/client';
import { OutboundError } from '@/infra/outbound/errors';
import { createResponseSecretMasker, type ResponseSecretMasker } from '@/infra/outbound/mask-echo';
import { createBoundedCache } from '@/shared/bounded-cache';
import { clock } from '@/shared/clock';
import { createRefusal, type Refusal, serializeRefusal } from '@/shared/refusals/refusal';
import { CUSTOM_HEADERS_ENCRYPTION_PURPOSE, SIGNING_SECRET_ENCRYPTION_PURPOSE } from '../service';
import type { CustomWebhookHeaders } from './custom-headers.rules';
import type { ClaimedDelivery } from './queue.repository';
import { isAcceptedStatusCode } from './retry.rules';
import { buildWebhookSignatureHeaders, listActiveSigningSecrets } from './signature.rules';

/**
 * The time limit of an attempt. Any 2xx response within this time is a success (design "Webhooks").
 */
export const ATTEMPT_TIMEOUT_MS = 10_000;
const KEPT_BODY_BYTES = 1_024;

export interface WebhookDeliveryAttemptOutcome {
  accepted: boolean;
  status_code: number | null;
  /**
   * Why no complete response arrived, such as `dns`, `tls` or `timeout` (infra/outbound/errors.ts).
   */
  error_kind: string | null;
  /** A message key and values in the stored format, which `parseStoredRefusal` parses. */
  error_message: string | null;
  response_body_truncated: string | null;
  duration_ms: number;
  at: Date;
}

const NO_ERROR = { error_kind: null, error_message: null, response_body_truncated: null };

/** Makes one attempt. Never throws. A failure is part of the outcome. */
export async function performDeliveryAttempt(delivery: ClaimedDelivery): Promise<WebhookDeliveryAttemptOutcome> {
  let echo: ResponseSecretMasker | null = null;
  try {
    const { headers, known_secrets } = requestOf(delivery);
    echo = createResponseSecretMasker(known_secrets);
    const response = await safeFetch(delivery.url, {
      method: 'POST',
      headers,
      body: delivery.body,
      timeout_ms: ATTEMPT_TIMEOUT_MS,
      // Receives more bytes than are stored, so that a secret at the end of the stored part can be
      // masked.
      max_body_bytes: KEPT_BODY_BYTES + echo.longest,
      max_redirects: 0,
      allow_loopback: config().outbound_allow_loopback,
    });
    return {
      ...NO_ERROR,
      accepted: isAcceptedStatusCode(response.status),
      status_code: response.status,
      response_body_truncated: storable(response.body, echo),
      duration_ms: response.duration_ms,
      at: clock().now(),
    };
  } catch (error) {
    const known = error instanceof OutboundError ? error : null;
    const status_code = known?.status ?? null;
    // A receiver that responded with 2xx has accepted the event, even if receiving the response
    // body failed.
    const accepted = isAcceptedStatusCode(status_code);
    const ended = { ...NO_ERROR, accepted, status_code, duration_ms: known?.duration_ms ?? 0, at: clock().now() };
    if (accepted) return ended;
    const problem = known ? masked(known.problem, echo) : createRefusal('delivery.not_made');
    return { ...ended, error_kind: known?.kind ?? 'internal', error_message: serializeRefusal(problem) };
  }
}

/** Masks secrets in an error message, because it may quote the receiver's response. */
const masked = ({ key, values }: Refusal, echo: ResponseSecretMasker | null): Refusal =>
  createRefusal(
    key,
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? (echo?.mask(value) ?? value) : value,
      ]),
    ),
  );

/**
 * Builds the request's headers. `known_secrets` are the secrets to mask in the receiver's response.
 */
function requestOf(delivery: ClaimedDelivery): { headers: Record<string, string>; known_secrets: string[] } {
  const now = clock().now();
  const secrets = listActiveSigningSecrets(delivery, now).map((secret) =>
    decrypted(SIGNING_SECRET_ENCRYPTION_PURPOSE, secret),
  );
  const custom = delivery.custom_headers && decrypted(CUSTOM_HEADERS_ENCRYPTION_PURPOSE, delivery.custom_headers);
  const own = custom ? (JSON.parse(custom) as CustomWebhookHeaders) : {};
  const signatures = buildWebhookSignatureHeaders({ event_id: delivery.event_id, body: delivery.body, secrets, now });
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
  // The digests in the signature headers, without timestamps.
  const digests = signed
    .flatMap((value) => value.split(/[\s,]+/))
    .filter((part) => part.length > 20)
    .map((part) => part.replace(/^v1=/, ''));
  const known_secrets = [...Object.values(own), ...secrets, ...bare, ...digests];
  return { headers, known_secrets };
}

/** Caches decrypted values, because all deliveries of an endpoint need the same values. */
const secretOf = createBoundedCache<string>(256);

const decrypted = (purpose: string, encrypted: string): string =>
  secretOf(encrypted, () => decryptSecret(getAppSecret(), purpose, encrypted));

/**
 * Returns the part of a response that is stored, with secrets masked, as text that PostgreSQL
 * accepts.
 */
function storable(body: Buffer, echo: ResponseSecretMasker): string {
  // NUL characters are removed first, because a secret that contains them would not be masked.
  return echo.mask(body.toString('utf8').replaceAll('\u0000', ''), KEPT_BODY_BYTES);
}
