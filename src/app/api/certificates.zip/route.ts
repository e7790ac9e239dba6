/** Downloads several certificates as a ZIP. */
import { limitedDownload } from '@/app/limited-download';
import { downloadCertificates } from '@/modules/certificates/http';

export const dynamic = 'force-dynamic';

export const GET = limitedDownload(downloadCertificates);
