/**
 * A member's belongings: the endpoints, keys, links and settings that the member set up in a team.
 * Some end with the membership.
 */
import { z } from 'zod';

export const MemberOwnedResourceKind = z.enum([
  'webhook_endpoint',
  'portal_link',
  'api_key',
  'reply_address',
  'embed_origins',
  'custom_domain',
]);

const BelongingRef = z.strictObject({ kind: MemberOwnedResourceKind, id: z.string().max(64) });
export type MemberOwnedResourceRef = z.infer<typeof BelongingRef>;

export const MemberOwnedResource = z.object({
  kind: MemberOwnedResourceKind,
  /** Id of the endpoint, the key or the property. */
  id: z.string(),
  mode: z.enum(['live', 'test']),
  /** The URL of an endpoint or link, or the name of a key or property. */
  name: z.string(),
  /**
   * Whether the belonging may give the team's data to the member. If so, it ends unless the owner
   * keeps it.
   */
  gives_data: z.boolean(),
});
export type MemberOwnedResource = z.infer<typeof MemberOwnedResource>;

export const MemberId = z.strictObject({ id: z.string() });

export const MemberRemovalInput = z.strictObject({
  id: z.string(),
  /**
   * The belongings to end with the membership. If omitted, all belongings with `gives_data` end.
   */
  end: z.array(BelongingRef).max(500).optional(),
});
export type MemberRemovalInput = z.infer<typeof MemberRemovalInput>;
