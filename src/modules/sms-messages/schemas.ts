/** SmsMessage: read-only, beta; the list is empty until SMS delivery ships (specification, "SmsMessage"). */
import { z } from 'zod';
import { listLimit, listOf, timestamp } from '@/shared/schemas';

export const SmsMessage = z
  .object({
    id: z.string(),
    object: z.literal('sms_message'),
    reservation_id: z.string().nullable(),
    to: z.string().nullable(),
    body: z.string().nullable(),
    status: z.string().nullable(),
    delivered_at: timestamp('When the carrier confirmed it.').nullable(),
    created_at: timestamp('When it was created.'),
  })
  .meta({ id: 'SmsMessage' });

export const SmsMessageId = z.strictObject({
  id: z.string().meta({ description: 'The message’s id.', example: 'sms_01jd8z6q0v7m3k5n' }),
});
export const SmsMessageListQuery = z.strictObject({ limit: listLimit });
export const SmsMessageList = listOf(SmsMessage, 'SmsMessageList');
