/** Downloads the evidence of one certificate as a ZIP. */
import { downloadDisputePack } from '@/modules/certificates/http';

export const dynamic = 'force-dynamic';

export const GET = downloadDisputePack;
