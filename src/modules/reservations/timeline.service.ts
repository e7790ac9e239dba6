/** The trail as a host reads it: with who did it, and what a change was about. The public list of events says less. */
import { listMembers } from '@/modules/accounts/members.service';
import { listTrail } from '@/modules/trail/service';
import type { Scope } from '@/shared/scope';
import type { TimelineEntry } from './host.schemas';
import { doerOf } from './rules/timeline';
import { retrieveReservation } from './service';

/** Oldest first. Throws resource_missing. */
export async function listTimeline(scope: Scope, id: string): Promise<TimelineEntry[]> {
  await retrieveReservation(scope, id);
  const [entries, members] = await Promise.all([listTrail(scope, id), listMembers(scope.team_id)]);
  const names = new Map(members.map((member) => [member.user_id, member.name]));
  return entries.map((entry) => {
    const data = entry.data as Record<string, unknown>;
    const text = (value: unknown) => (typeof value === 'string' ? value : null);
    const signed = entry.type === 'reservation.signed';
    return {
      type: entry.type,
      created_at: entry.created_at.toISOString(),
      by: doerOf(entry.actor, names),
      fields: Array.isArray(data.fields) ? data.fields.filter((field) => typeof field === 'string') : [],
      reason: entry.type === 'reservation.cancelled' ? null : text(data.reason),
      signed_ip: signed ? entry.ip : null,
      content_hash: signed ? text(data.content_hash) : null,
    };
  });
}
