/** A certificate's sealed PDF for who is signed in. */
import { downloadCertificate } from '@/modules/certificates/files/http';

export const dynamic = 'force-dynamic';

export const GET = downloadCertificate;
