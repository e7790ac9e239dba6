/** The audit log as a file. */
import { downloadAuditLog } from '@/modules/export-and-deletion/audit-log-http';

export const dynamic = 'force-dynamic';

export const GET = downloadAuditLog;
