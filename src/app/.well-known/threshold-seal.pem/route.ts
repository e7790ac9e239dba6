import { sealingCertificates } from '@/guest/http/verify';

export const dynamic = 'force-dynamic';

export const GET = sealingCertificates;
