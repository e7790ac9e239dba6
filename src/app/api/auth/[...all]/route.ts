import { handleAuthRequest } from '@/modules/accounts/auth';

export const dynamic = 'force-dynamic';

export const GET = handleAuthRequest;
export const POST = handleAuthRequest;
