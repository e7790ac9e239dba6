/** Downloads several certificates as a ZIP. */
import { withDownloadLimit } from '@/app/limited-download';
import { downloadCertificateArchive } from '@/modules/certificates/http';

export const dynamic = 'force-dynamic';

export const GET = withDownloadLimit(downloadCertificateArchive);
