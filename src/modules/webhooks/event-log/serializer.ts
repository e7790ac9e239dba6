/** Rows -> events: what every delivery sends, and what only a host sees (a partner's answer is cut to its schema). */
import type { Event } from '@/generated/prisma/client';
import type { HostEvent } from './host.schemas';
import { isTestObject } from './test-event.rules';

export const serializeEvent = (row: Event): HostEvent => ({
  ...JSON.parse(row.body),
  object_id: row.object_id,
  test: isTestObject(row.object_id),
  request_id: row.request_id,
});
