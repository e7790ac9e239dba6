/** Downloads a certificate's sealed PDF, for signed-in users. */
import { limitDownloadHandlerRate } from '@/app/limited-download';
import { downloadCertificate } from '@/modules/certificates/http';

export const dynamic = 'force-dynamic';

export const GET = limitDownloadHandlerRate(downloadCertificate);
