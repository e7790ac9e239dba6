import type { InngestClient } from '../client';
import { sweep } from './sweep';

/** Tells owners of guests whose check-in has come unsigned. */
export const lateAlerts = (client: InngestClient) =>
  client.createFunction(
    { id: 'late-alerts', retries: 1, concurrency: 1, triggers: [{ cron: '2-59/5 * * * *' }] },
    ({ step }) => step.run('sweep', () => sweep('late_alert')),
  );
