/**
 * What loads code when it is first asked for (Next's routes, the OpenAPI document, a mail) holds up everybody for as long. Right
 * after the start each is asked for once, one after the other, so that no visitor's request does it.
 */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApiText } from '@/api/rest/openapi-response';
import { config } from '@/config';
import { renderEmailVerificationEmail } from '@/emails/email-verification';
import { logger } from '@/infra/logger';
import { ownRequestHeaders } from '@/infra/own-request';

/** One of each kind: what is behind them is shared by the others. */
const PATHS = [
  '/sign-in',
  '/reservations',
  '/',
  '/docs',
  '/api/auth/ok',
  '/api/trpc/warm.up',
  '/sign/warm-up',
  '/c/warm-up',
  '/verify/warm-up',
];

/** Asks this process, by the address it listens on. Never throws. */
export async function warmUp(): Promise<void> {
  for (const path of PATHS) {
    await ask(path).catch((error) => logger().warn({ err: error, path }, 'warming up failed'));
    // Whoever came meanwhile is served first.
    await sleep(20);
  }
  openApiText();
  await renderEmailVerificationEmail({ verify_url: config().app_url, expires_in_minutes: 1 });
}

function ask(path: string): Promise<void> {
  const { host, port, app_url } = config();
  const options = {
    host: host === '0.0.0.0' || host === '::' ? 'localhost' : host,
    port,
    path,
    headers: { host: new URL(app_url).host, ...ownRequestHeaders() },
  };
  return new Promise((resolve, reject) => {
    request(options, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}
