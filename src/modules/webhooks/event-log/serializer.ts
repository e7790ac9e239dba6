/** Rows -> events of the dashboard, field by field, and of the API, as they are delivered. */
import type { Event } from '@/generated/prisma/client';
import type { EventHead } from './repository';
import type { EventEntry } from './schemas';
import { isTestObject } from './test-event.rules';

export function serializeEvent(row: EventHead): EventEntry {
  return {
    id: row.id,
    type: row.type,
    object_id: row.object_id,
    sequence: Number(row.sequence),
    test: isTestObject(row.object_id),
    request_id: row.request_id,
    created_at: row.created_at.toISOString(),
  };
}

/** What every delivery of it sends. */
export const serializeRecorded = (row: Event) => JSON.parse(row.body);
