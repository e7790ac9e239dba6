/**
 * Aborts long downloads when the reader is removed from the team or the team is deleted. The
 * download then ends with an error, so that an incomplete file cannot be mistaken for a complete
 * one.
 */

import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { parseRole } from '@/shared/roles';
import type { Role } from '@/shared/scope';
import { findMembershipsOfUser } from './repository';

const CHECK_MS = 1_000;

interface Reader {
  team_id: string;
  user_id: string;
  /** The roles that may download. */
  roles: readonly Role[];
}

async function assertStillMember({ team_id, user_id, roles }: Reader): Promise<void> {
  const memberships = await findMembershipsOfUser(user_id);
  const own = memberships.find(({ organizationId }) => organizationId === team_id);
  if (own && roles.includes(parseRole(own.role))) return;
  throw new AppError('insufficient_scope', { message: createRefusal('membership_ended_during_download') });
}

/**
 * Yields the parts of an archive as long as `reader`, the person who downloads it, is a member with
 * one of the roles. Checks the membership every second and before the last part, because an archive
 * cannot be opened without its last part. Throws insufficient_scope.
 */
export async function* yieldArchivePartsWhileReaderIsMember<Part>(
  reader: Reader,
  parts: AsyncGenerator<Part>,
): AsyncGenerator<Part> {
  let checked = clock().now().getTime();
  let pending: { part: Part } | null = null;
  for await (const part of parts) {
    const now = clock().now().getTime();
    if (now - checked >= CHECK_MS) {
      await assertStillMember(reader);
      checked = now;
    }
    if (pending) yield pending.part;
    pending = { part };
  }
  if (!pending) return;
  await assertStillMember(reader);
  yield pending.part;
}
