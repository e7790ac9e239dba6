/**
 * Loads code in advance that would delay the first requests (Next's routes, the OpenAPI document, a
 * mail). Requests paths one after the other: paths without Next right after the start, and Next's
 * routes once Next is loaded.
 */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderOpenApiText } from '@/api/rest/openapi-response';
import { config } from '@/config';
import { renderEmailVerificationEmail } from '@/emails/email-verification';
import { logger } from '@/infra/logger';
import { buildHeadersMarkingOwnRequests } from '@/infra/own-request';

/** One path of each kind of page, because pages of the same kind share their code. */
const OWN_PATHS = ['/docs', '/sign/warm-up', '/c/warm-up', '/verify/warm-up'];
const NEXT_PATHS = ['/sign-in', '/reservations', '/', '/api/auth/ok', '/api/trpc/warm.up'];

/** Warms up everything except Next. Never throws. */
export async function warmUpServer(): Promise<void> {
  await askForAll(OWN_PATHS);
  renderOpenApiText();
  await renderEmailVerificationEmail({ verify_url: config().app_url, expires_in_minutes: 1 });
}

/** Warms up Next's routes. Never throws. */
export const warmUpNextJsRoutes = () => askForAll(NEXT_PATHS);

/** Sends requests for the paths from this process to its own address. */
async function askForAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await ask(path).catch((error) => logger().warn({ err: error, path }, 'warming up failed'));
    // Lets requests that arrived meanwhile run first.
    await sleep(20);
  }
}

function ask(path: string): Promise<void> {
  const { host, port, app_url } = config();
  const options = {
    host: host === '0.0.0.0' || host === '::' ? 'localhost' : host,
    port,
    path,
    headers: { host: new URL(app_url).host, ...buildHeadersMarkingOwnRequests() },
  };
  return new Promise((resolve, reject) => {
    request(options, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}
