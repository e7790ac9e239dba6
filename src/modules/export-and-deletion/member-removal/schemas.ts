/** What a member set up in a team, and which of it ends with the membership. */
import { z } from 'zod';

export const BelongingKind = z.enum([
  'webhook_endpoint',
  'portal_link',
  'api_key',
  'reply_address',
  'embed_origins',
  'custom_domain',
]);

const BelongingRef = z.strictObject({ kind: BelongingKind, id: z.string().max(64) });
export type BelongingRef = z.infer<typeof BelongingRef>;

export const Belonging = z.object({
  kind: BelongingKind,
  /** Of the endpoint, the key or the property. */
  id: z.string(),
  mode: z.enum(['live', 'test']),
  /** What it is called: an address, a key's name, a property's. */
  name: z.string(),
  /** Whether the team's data may still reach the member by it: then it ends unless the owner says otherwise. */
  gives_data: z.boolean(),
});
export type Belonging = z.infer<typeof Belonging>;

export const MemberId = z.strictObject({ id: z.string() });

export const MemberRemoval = z.strictObject({
  id: z.string(),
  /** What ends with the membership; without it, all that gives data. */
  end: z.array(BelongingRef).max(500).optional(),
});
export type MemberRemoval = z.infer<typeof MemberRemoval>;
