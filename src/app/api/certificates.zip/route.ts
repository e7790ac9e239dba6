/** Downloads several certificates as a ZIP. */
import { limitDownloadHandlerRate } from '@/app/limited-download';
import { downloadCertificateArchive } from '@/modules/certificates/http';

export const dynamic = 'force-dynamic';

export const GET = limitDownloadHandlerRate(downloadCertificateArchive);
