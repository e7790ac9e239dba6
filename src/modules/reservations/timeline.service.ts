/** The trail as a host reads it: with who did it, and what a change was about. Partners are told less. */
import { listMembers } from '@/modules/accounts/members.service';
import { trailData } from '@/modules/trail/json-columns.schemas';
import type { Scope } from '@/shared/scope';
import type { HostReservationEvents } from './host.schemas';
import { doerOf } from './rules/timeline';
import { listEntries, showEvent } from './service';

/** What somebody wrote by hand. */
function noteOf(type: string, { guest_message, reason }: ReturnType<typeof trailData.read>): string | null {
  if (typeof guest_message === 'string') return guest_message;
  return type !== 'reservation.cancelled' && typeof reason === 'string' ? reason : null;
}

/** Oldest first. Throws resource_missing. */
export async function listEventsForHost(scope: Scope, id: string): Promise<HostReservationEvents['data']> {
  const [entries, members] = await Promise.all([listEntries(scope, id), listMembers(scope.team_id)]);
  const names = new Map(members.map((member) => [member.user_id, member.name]));
  return entries.map((entry) => {
    const data = trailData.read(entry.data);
    return {
      ...showEvent(entry),
      doer: doerOf(entry.actor, names),
      fields: Array.isArray(data.fields) ? data.fields.filter((field) => typeof field === 'string') : [],
      note: noteOf(entry.type, data),
    };
  });
}
