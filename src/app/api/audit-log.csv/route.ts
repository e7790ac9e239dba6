/** Downloads the audit log as a file. */
import { limitDownloadHandlerRate } from '@/app/limited-download';
import { downloadAuditLog } from '@/modules/export-and-deletion/http';

export const dynamic = 'force-dynamic';

export const GET = limitDownloadHandlerRate(downloadAuditLog);
