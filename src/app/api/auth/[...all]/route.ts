import { handleAuthRequest } from '@/modules/accounts/sign-in/auth';

export const dynamic = 'force-dynamic';

export const GET = handleAuthRequest;
export const POST = handleAuthRequest;
