/** Downloads the audit log as a file. */
import { withDownloadLimit } from '@/app/limited-download';
import { downloadAuditLog } from '@/modules/export-and-deletion/http';

export const dynamic = 'force-dynamic';

export const GET = withDownloadLimit(downloadAuditLog);
