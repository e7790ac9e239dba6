import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { InvitationPanel } from '@/dashboard/accounts/invitation-panel';
import { viewInvitation } from '@/modules/accounts/members.service';
import { sessionContext } from '@/modules/accounts/session';

export const metadata: Metadata = { title: 'Invitation' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const invitation = await viewInvitation((await params).id).catch(() => null);
  if (!invitation) notFound();
  const { signed_in } = await sessionContext(await headers());
  return <InvitationPanel invitation={invitation} signedInAs={signed_in?.email ?? null} />;
}
