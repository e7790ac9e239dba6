/** The API's operations on SMS messages. */
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { toListEnvelope } from '@/shared/lists/pagination';
import * as schemas from './schemas';
import * as service from './service';

const read = { method: 'GET', tag: 'SMS messages', scope: 'sms_messages:read', stability: 'beta' } as const;

export const smsMessagesRouter = router({
  list: defineApiOperation({
    ...read,
    path: '/sms_messages',
    summary: 'List SMS messages',
    description: 'Empty until SMS delivery ships.',
  })
    .input(schemas.SmsMessageListQuery)
    .output(schemas.SmsMessageList)
    .query(async ({ ctx, input }) =>
      toListEnvelope(await service.listSmsMessages(ctx.scope, input), '/v1/sms_messages', service.serializeSmsMessage),
    ),

  retrieve: defineApiOperation({
    ...read,
    path: '/sms_messages/{id}',
    summary: 'Retrieve an SMS message',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.SmsMessageId)
    .output(schemas.SmsMessage)
    .query(async ({ ctx, input }) =>
      service.serializeSmsMessage(await service.retrieveSmsMessage(ctx.scope, input.id)),
    ),
});
