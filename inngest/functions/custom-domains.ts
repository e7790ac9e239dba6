import { recheckDomains } from '@/modules/properties/domains/recheck';
import { renewLinks } from '@/modules/reservations/timed/renew-links';
import type { InngestClient } from '../client';

/** Asks the DNS each hour about every custom domain, and gives the guests of those that were given up new links. */
export const customDomains = (client: InngestClient) =>
  client.createFunction(
    { id: 'custom-domains', retries: 2, concurrency: 1, triggers: [{ cron: '29 * * * *' }] },
    async ({ step }) => {
      const { asked, lapsed, restored } = await step.run('ask', () => recheckDomains());
      let mailed = 0;
      for (const { id, team_id, mode } of lapsed)
        mailed += (await step.run(`renew links of ${id}`, () => renewLinks(team_id, mode, id))).mailed;
      return { asked, lapsed: lapsed.length, restored, mailed };
    },
  );
