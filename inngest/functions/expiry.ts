import type { InngestClient } from '../client';
import { sweep } from './sweep';

/** Expires unsigned reservations whose check-out day is over. */
export const expiry = (client: InngestClient) =>
  client.createFunction(
    { id: 'expiry', retries: 1, concurrency: 1, triggers: [{ cron: '3-59/5 * * * *' }] },
    ({ step }) => step.run('sweep', () => sweep('expire')),
  );
