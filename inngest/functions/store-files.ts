import { storeFiles } from '@/modules/certificates/files/move';
import type { InngestClient } from '../client';

/** Each minute: moves what was sealed into the storage of STORAGE_URL, and removes from it what nothing refers to any more. */
export const storeFilesElsewhere = (client: InngestClient) =>
  client.createFunction(
    { id: 'store-files', retries: 0, concurrency: 1, triggers: [{ cron: '* * * * *' }] },
    storeFiles,
  );
