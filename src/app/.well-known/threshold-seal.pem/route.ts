import { handleSealingCertificatesRequest } from '@/guest/http/certificate/verify';

export const dynamic = 'force-dynamic';

export const GET = handleSealingCertificatesRequest;
