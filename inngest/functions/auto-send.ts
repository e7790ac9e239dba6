import type { InngestClient } from '../client';
import { sweep } from './sweep';

/** Sends the packets whose time has come (reservations/rules/reminders.ts). */
export const autoSend = (client: InngestClient) =>
  client.createFunction(
    { id: 'auto-send', retries: 1, concurrency: 1, triggers: [{ cron: '*/5 * * * *' }] },
    ({ step }) => step.run('sweep', () => sweep('auto_send')),
  );
