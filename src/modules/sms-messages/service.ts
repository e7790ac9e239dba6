/**
 * Reads the log of sent SMS messages (specification, "SMS messages"). The log is empty, because
 * nothing sends SMS yet.
 */

import type { SmsMessage as Row } from '@/generated/prisma/client';
import { createResourceMissingError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

export const listSmsMessages = repository.listSmsMessageRows;

/** Returns an SMS message. Throws resource_missing. */
export async function retrieveSmsMessage(scope: Scope, id: string): Promise<Row> {
  const row = await repository.findSmsMessageRow(scope, id);
  if (!row) throw createResourceMissingError(scope, 'SMS message', id);
  return row;
}

export function serializeSmsMessage(row: Row) {
  return {
    id: row.id,
    object: 'sms_message' as const,
    reservation_id: row.reservation_id,
    to: row.to,
    body: row.body,
    status: row.status,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
