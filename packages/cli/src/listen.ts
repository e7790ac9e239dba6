/**
 * Forwards test-mode events to a local address. They are signed like deliveries, with a secret that
 * is valid only for this session.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { UsageError } from './usage.js';

const TIMEOUT_MS = 10_000;

/** Returns a new secret in the format of an endpoint's secret. */
export const sessionSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export interface Deliverable {
  readonly id: string;
  readonly type: string;
}

/** Returns the headers of a delivery, including its signature. */
export function deliveryHeaders(
  event: Deliverable,
  body: string,
  secret: string,
  now = new Date(),
): Record<string, string> {
  const t = Math.floor(now.getTime() / 1000);
  const service = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${event.id}.${t}.${body}`).digest('base64');
  return {
    'Content-Type': 'application/json',
    'Service-Signature': `t=${t},v1=${service}`,
    'Service-Event': event.type,
    'Service-Event-Id': event.id,
    'Service-Delivery-Id': `whd_local${randomUUID().replaceAll('-', '')}`,
    'Service-Attempt': '1',
    'webhook-id': event.id,
    'webhook-timestamp': String(t),
    'webhook-signature': `v1,${standard}`,
  };
}

/** Posts an event once. Returns a short description of the outcome. */
export async function forward(event: Deliverable, to: string, secret: string): Promise<string> {
  const body = JSON.stringify(event);
  try {
    const answer = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      headers: deliveryHeaders(event, body, secret),
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return String(answer.status);
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return name === 'TimeoutError' ? 'no answer within 10 s' : (cause?.code ?? 'no answer');
  }
}

/** Parses a target: a complete URL, a port, or `localhost:3000/path`. Throws UsageError. */
export function readTarget(text: string | true | undefined): string {
  if (typeof text !== 'string')
    throw new UsageError('The target is missing: --forward-to http://localhost:3000/webhooks');
  const whole = /^\d+$/.test(text) ? `http://localhost:${text}` : /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole)) throw new UsageError(`${text} is not a URL.`);
  return whole;
}
