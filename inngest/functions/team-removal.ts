import { removeDeletedTeams } from '@/modules/export-and-deletion/deletion.service';
import type { InngestClient } from '../client';

/** Removes what is left of accounts that their owners deleted: after a crash, and what was in flight at the time. */
export const teamRemoval = (client: InngestClient) =>
  client.createFunction(
    { id: 'team-removal', retries: 2, concurrency: 1, triggers: [{ cron: '*/5 * * * *' }] },
    async () => ({ removed: await removeDeletedTeams() }),
  );
