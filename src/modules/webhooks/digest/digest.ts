/**
 * Sends a daily mail to owners about events that their endpoints did not accept. Owners who do not
 * open the dashboard would otherwise not notice single failures, because these cause no other mail.
 */

import { config } from '@/config';
import { renderUndeliveredEventsDigestEmail } from '@/emails/endpoint/digest';
import { inSystemTransaction } from '@/infra/db/transaction';
import { findOwnerEmailAddresses } from '@/modules/accounts/team.service';
import { queueSystemMail } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { parseStoredRefusal } from '@/shared/refusals/refusal';
import * as repository from './digest.repository';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Deliveries that began less than this time ago are not reported, because many still succeed. */
const LASTING_MS = HOUR_MS;

/**
 * Sends the mail to each team with failures. If a run is interrupted, the next run continues
 * without repeating mails.
 */
export async function sendUndeliveredEventsDigests(): Promise<{ teams: number }> {
  const now = clock().now();
  const since = new Date(now.getTime() - DAY_MS);
  const by_team = new Map<string, repository.EndpointWithUndeliveredEvents[]>();
  for (const one of await repository.findEndpointsWithUndeliveredEvents(since, new Date(now.getTime() - LASTING_MS))) {
    by_team.set(one.team_id, [...(by_team.get(one.team_id) ?? []), one]);
  }
  let teams = 0;
  for (const [team_id, endpoints] of by_team) {
    if (await sendDigest(team_id, endpoints, since, now)) teams += 1;
  }
  return { teams };
}

async function sendDigest(
  team_id: string,
  endpoints: readonly repository.EndpointWithUndeliveredEvents[],
  since: Date,
  now: Date,
): Promise<boolean> {
  const content = await renderUndeliveredEventsDigestEmail({
    endpoints: endpoints.map(({ url, events, last_error, status }) => ({
      url,
      undelivered: events,
      last_error: last_error && String(parseStoredRefusal(last_error)),
      disabled: status !== 'enabled',
    })),
    dashboard_url: `${config().app_url}/developers/webhooks`,
  });
  const owners = await findOwnerEmailAddresses(team_id);
  return inSystemTransaction(async () => {
    const ids = endpoints.map(({ endpoint_id }) => endpoint_id);
    if (!(await repository.claimFailureDigestMail(ids, since, now))) return false;
    for (const to of owners)
      await queueSystemMail({ team_id, mode: 'live' }, { ...content, template: 'endpoint_digest', to });
    return true;
  });
}
