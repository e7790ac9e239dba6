/** Push subscriptions of a member's browser. */
import { z } from 'zod';

/** Matches a base64url text that encodes this number of bytes. */
const bytes = (length: number) =>
  z.string().refine((text) => {
    const read = Buffer.from(text, 'base64url');
    return read.length === length && read.toString('base64url') === text;
  }, 'is no key of a browser');

/**
 * A browser's subscription (W3C Push API): the URL of its push service, and the keys for encrypting
 * notifications.
 */
export const BrowserPushSubscription = z.strictObject({
  endpoint: z.url().max(1_000),
  p256dh: bytes(65),
  auth: bytes(16),
});
export type BrowserPushSubscription = z.infer<typeof BrowserPushSubscription>;

export const PushNotificationStatus = z.object({
  /** Whether this session receives notifications about messages from this team's guests. */
  on: z.boolean(),
  /**
   * The installation's public key. The push service accepts notifications only with a signature by
   * the private key.
   */
  public_key: z.string(),
});
export type PushNotificationStatus = z.infer<typeof PushNotificationStatus>;
