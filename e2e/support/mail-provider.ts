/**
 * A mail provider with Resend's API and its guarantee about idempotency keys: at most one mail is
 * sent for a key, and a repeated request gets the first response. The provider responds slowly, so
 * that the sender can be killed between request and response.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@/testing/random';

export interface SentMail {
  /** The idempotency key. */
  key: string;
  /** The provider's own id of the mail, used in its reports. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Number of requests that the sender made for this mail. */
  requests: number;
}

export interface MailProvider {
  readonly url: string;
  /** The delivered mails, in order. */
  readonly sent: readonly SentMail[];
  /** Descriptions of requests that broke the provider's rules. */
  readonly violations: readonly string[];
  /** Called once for each delivered mail. */
  onMail: (mail: SentMail) => void;
  /** The value of performance.now() at the last request. */
  readonly last_at: number;
  close(): Promise<void>;
}

/**
 * Starts a provider. `lost` is the share of responses that never arrive although the mail was sent.
 * The sender has to repeat these requests.
 */
export async function startMailProvider(random: Random, lost: number): Promise<MailProvider> {
  const by_key = new Map<string, { mail: SentMail; payload: string }>();
  const sent: SentMail[] = [];
  const violations: string[] = [];
  let last_at = performance.now();
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The sender was killed during its request.
    }
    last_at = performance.now();
    const payload = Buffer.concat(chunks).toString('utf8');
    const key = String(request.headers['idempotency-key'] ?? '');
    let known = by_key.get(key);
    const repeated = known !== undefined;
    if (!key) violations.push('a mail came without an idempotency key');
    if (!known) {
      const { to, subject, text, html } = JSON.parse(payload);
      const mail = { key, id: randomUUID(), to: String(to), subject, text, html, requests: 0 };
      known = { mail, payload };
      by_key.set(key, known);
      sent.push(mail);
      provider.onMail(mail);
    } else if (known.payload !== payload) {
      violations.push(`the key ${key} came with two different mails`);
    }
    known.mail.requests += 1;
    await sleep(random.between(5, 250));
    if (!repeated && random.chance(lost)) return void request.socket.destroy();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: known.mail.id }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The provider has no port.');
  const provider: MailProvider = {
    url: `http://127.0.0.1:${address.port}`,
    sent,
    violations,
    onMail: () => {},
    get last_at() {
      return last_at;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return provider;
}
