/** Queries on SMS messages. */
import type { SmsMessage } from '@/generated/prisma/client';
import { listRowsByKeyset, type Page, type PageQuery } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export function listSmsMessageRows(scope: Scope, query: PageQuery): Promise<Page<SmsMessage>> {
  return listRowsByKeyset<SmsMessage>(scopedDb(scope).smsMessage, 'smsMessage', 'sms_message', {}, query);
}

export function findSmsMessageRow(scope: Scope, id: string): Promise<SmsMessage | null> {
  return scopedDb(scope).smsMessage.findFirst({ where: { id } });
}
