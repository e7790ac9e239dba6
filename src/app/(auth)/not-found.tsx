import type { Metadata } from 'next';
import { InvitationLinkNotFound } from '@/dashboard/shell/link-not-found';

export const metadata: Metadata = { title: 'Not found' };

export default InvitationLinkNotFound;
