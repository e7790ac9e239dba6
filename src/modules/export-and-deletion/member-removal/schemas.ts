/**
 * The endpoints, keys, links and settings that a member set up in a team. Some of them end when the
 * member leaves the team.
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
   * Whether this item may give the team's data to the member. If so, it stops working when the
   * member is removed, unless the owner keeps it.
   */
  gives_data: z.boolean(),
});
export type MemberOwnedResource = z.infer<typeof MemberOwnedResource>;

export const MemberId = z.strictObject({ id: z.string() });

export const MemberRemovalInput = z.strictObject({
  id: z.string(),
  /**
   * The member's endpoints, keys, links and settings that end with the membership. If omitted, all
   * of them with `gives_data` end.
   */
  end: z.array(BelongingRef).max(500).optional(),
});
export type MemberRemovalInput = z.infer<typeof MemberRemovalInput>;
