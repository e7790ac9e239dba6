/**
 * The keys, links and the like that a member set up in a team, and which of them end with the
 * membership.
 */
import { z } from 'zod';

export const MemberBelongingKind = z.enum([
  'webhook_endpoint',
  'portal_link',
  'api_key',
  'reply_address',
  'embed_origins',
  'custom_domain',
]);

const BelongingRef = z.strictObject({ kind: MemberBelongingKind, id: z.string().max(64) });
export type MemberBelongingRef = z.infer<typeof BelongingRef>;

export const MemberBelonging = z.object({
  kind: MemberBelongingKind,
  /** Id of the endpoint, the key or the property. */
  id: z.string(),
  mode: z.enum(['live', 'test']),
  /** A URL, or the name of the key or property. */
  name: z.string(),
  /** Whether it may give the team's data to the member. It then ends unless the owner keeps it. */
  gives_data: z.boolean(),
});
export type MemberBelonging = z.infer<typeof MemberBelonging>;

export const MemberId = z.strictObject({ id: z.string() });

export const MemberRemoval = z.strictObject({
  id: z.string(),
  /** The belongings that end with the membership. By default, all with `gives_data`. */
  end: z.array(BelongingRef).max(500).optional(),
});
export type MemberRemoval = z.infer<typeof MemberRemoval>;
