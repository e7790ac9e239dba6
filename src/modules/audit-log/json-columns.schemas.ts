/** The JSON column of the audit log. */
import { z } from 'zod';
import { jsonColumn } from '@/shared/json-column';

/** What an entry adds to its action: names, numbers, lists of words. */
export const auditDetails = jsonColumn(
  'AuditLog.data',
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).readonly()])),
);
