/** Notifications of a member's browser, as the dashboard asks for them. */
import { z } from 'zod';

/** So many bytes, as browsers write them. */
const bytes = (length: number) =>
  z.string().refine((text) => {
    const read = Buffer.from(text, 'base64url');
    return read.length === length && read.toString('base64url') === text;
  }, 'is no key of a browser');

/** What a browser gives of a subscription (W3C Push API): where its push service is written to, and the keys to write with. */
export const Browser = z.strictObject({
  endpoint: z.url().max(1_000),
  p256dh: bytes(65),
  auth: bytes(16),
});
export type Browser = z.infer<typeof Browser>;

export const PushState = z.object({
  /** This session is told of what guests of this team say. */
  on: z.boolean(),
  /** What a browser subscribes with: only who has the private half can write to it. */
  public_key: z.string(),
});
export type PushState = z.infer<typeof PushState>;
