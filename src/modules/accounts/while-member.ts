/**
 * Downloads that take long. Their reader may be removed from the team meanwhile, or the team may be deleted: then the
 * download breaks off, and what was read so far cannot be taken for the whole.
 */

import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import { findMemberships } from './repository';

const CHECK_MS = 1_000;

interface Reader {
  team_id: string;
  user_id: string;
  /** The role without which the download is refused. */
  role: 'owner' | 'member';
}

async function assertStillMember({ team_id, user_id, role }: Reader): Promise<void> {
  const memberships = await findMemberships(user_id);
  const own = memberships.find(({ organizationId }) => organizationId === team_id);
  if (own && (role === 'member' || own.role === 'owner')) return;
  throw new AppError('insufficient_scope', { message: refusal('membership_ended_during_download') });
}

/**
 * Passes the parts on while the reader is a member with the role. Checks every second, and before the last part, without
 * which an archive cannot be opened. Throws insufficient_scope.
 */
export async function* whileMember<Part>(reader: Reader, parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
  let checked = clock().now().getTime();
  let held: { part: Part } | null = null;
  for await (const part of parts) {
    const now = clock().now().getTime();
    if (now - checked >= CHECK_MS) {
      await assertStillMember(reader);
      checked = now;
    }
    if (held) yield held.part;
    held = { part };
  }
  if (!held) return;
  await assertStillMember(reader);
  yield held.part;
}
