import { continueErasures } from '@/modules/certificates/guest-erasure/service';
import type { InngestClient } from '../client';

/** Continues guest erasures that a crash interrupted. */
export const createGuestErasureFunction = (client: InngestClient) =>
  client.createFunction(
    { id: 'guest-erasure', retries: 2, concurrency: 1, triggers: [{ cron: '* * * * *' }] },
    async () => ({ erasures: await continueErasures() }),
  );
