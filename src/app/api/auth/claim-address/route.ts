import { handleEmailAddressClaimRequest } from '@/modules/accounts/confirmation/http';

export const dynamic = 'force-dynamic';

export const POST = handleEmailAddressClaimRequest;
