import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { config } from '@/config';
import { TeamAccessPanel } from '@/dashboard/accounts/team-access-panel';
import { paths } from '@/dashboard/paths';
import { sessionContext } from '@/modules/accounts/session';
import { titled, Words } from '../../words';

export const generateMetadata = titled('team_access');

/** The page for a member whose sign-in does not meet the team's rules. */
export default async function Page() {
  const { signed_in, refused } = await sessionContext(await headers());
  if (!signed_in) redirect(paths.sign_in);
  if (!refused) redirect(paths.home);
  return (
    <Words of={['settings']}>
      <TeamAccessPanel refused={refused} company={config().oidc?.name} />
    </Words>
  );
}
