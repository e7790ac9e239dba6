import { sendDigests } from '@/modules/webhooks/digest/digest';
import type { InngestClient } from '../client';

/** Looks each hour whose endpoints have not accepted something lately, and writes to their owners once a day at most. */
export const endpointDigest = (client: InngestClient) =>
  client.createFunction(
    { id: 'endpoint-digest', retries: 2, concurrency: 1, triggers: [{ cron: '41 * * * *' }] },
    async ({ step }) => step.run('send', () => sendDigests()),
  );
