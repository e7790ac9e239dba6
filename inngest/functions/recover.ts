import type { InngestClient } from '../client';

/**
 * Each minute: hands on what a crash or a lost nudge left in the outbox, and asks for a run of everything that has work and
 * none: endpoints, mails, calendars, certificates.
 */
export const recover = (client: InngestClient, everything: () => Promise<object>) =>
  client.createFunction({ id: 'recover', retries: 1, triggers: [{ cron: '* * * * *' }] }, everything);
