import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { InvitationPanel } from '@/dashboard/accounts/invitation-panel';
import { loadInvitationView } from '@/modules/accounts/members.service';
import { readSessionContext } from '@/modules/accounts/session';
import { createTitleMetadata } from '../../../server-translations';

export const generateMetadata = createTitleMetadata('invitation');

export default async function Page({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await loadInvitationView(token).catch(() => null);
  if (!invitation) notFound();
  const { signed_in } = await readSessionContext(await headers());
  return <InvitationPanel token={token} invitation={invitation} signedInAs={signed_in?.email ?? null} />;
}
