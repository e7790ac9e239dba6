/** Several certificates as a ZIP. */
import { downloadCertificates } from '@/modules/certificates/batch/http';

export const dynamic = 'force-dynamic';

export const GET = downloadCertificates;
