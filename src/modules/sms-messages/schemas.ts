/**
 * Schemas of SmsMessage, which is read-only and beta. The list is empty until the service can send
 * SMS.
 */
import { z } from 'zod';
import { defineListEnvelope, objectTypeField, paginationQueryFields, timestampField } from '@/shared/schemas';

export const SmsMessage = z
  .object({
    id: z.string().meta({ description: 'The message’s id.' }),
    object: objectTypeField('sms_message'),
    reservation_id: z.string().nullable().meta({ description: 'The reservation it is about.' }),
    to: z.string().nullable().meta({ description: 'The phone number.' }),
    body: z.string().nullable().meta({ description: 'The text.' }),
    status: z.string().nullable().meta({ description: 'The delivery status.' }),
    delivered_at: timestampField('When the carrier confirmed it.').nullable(),
    created_at: timestampField('When it was created.'),
  })
  .meta({ id: 'SmsMessage', description: 'A text message to a guest. Beta.' });

export const SmsMessageId = z.strictObject({
  id: z.string().meta({ description: 'The message’s id.', example: 'sms_01jd8z6q0v7m3k5n' }),
});
export const SmsMessageListQuery = z.strictObject(paginationQueryFields);
export const SmsMessageList = defineListEnvelope(SmsMessage, 'SmsMessageList');
