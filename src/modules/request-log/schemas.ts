/** The request log: every API request of a team in one mode, stored for 30 days. Beta. */
import { z } from 'zod';
import {
  defineListEnvelope,
  endingBeforeCursorField,
  idField,
  listLimitField,
  objectTypeField,
  startingAfterCursorField,
  timestampField,
  urlPathIdField,
} from '@/shared/schemas';
import { HTTP_STATUS_CLASSES } from './filter-choices.rules';

export const RequestLog = z
  .object({
    id: idField('request', 'The request’s id, as in `X-Request-Id`.'),
    object: objectTypeField('request_log'),
    method: z.string().meta({ description: 'The HTTP method.', example: 'POST' }),
    path: z.string().meta({ description: 'The path, without its query.', example: '/v1/reservations' }),
    status: z.int().meta({ description: 'The status of the response.', example: 201 }),
    error_code: z.string().nullable().meta({ description: 'The error code, if the response was an error.' }),
    duration_ms: z.int().meta({ description: 'How long the request took.', example: 12 }),
    api_key_id: z.string().nullable().meta({ description: 'The id of the API key that was used.' }),
    ip: z.string().nullable().meta({ description: 'The caller’s IP address.', example: '192.0.2.7' }),
    created_at: timestampField('When the request arrived.'),
  })
  .meta({ id: 'RequestLog', description: 'A request to the API, kept 30 days. Beta.' });

export const RequestLogListQuery = z.strictObject({
  limit: listLimitField,
  starting_after: startingAfterCursorField,
  ending_before: endingBeforeCursorField,
  status: z
    .enum(HTTP_STATUS_CLASSES)
    .meta({ description: 'Only responses of this status class.', example: '4xx' })
    .optional(),
});
export const RequestLogList = defineListEnvelope(RequestLog, 'RequestLogList');
export const RequestLogId = z.strictObject({ id: urlPathIdField('request', 'The request’s id.') });
