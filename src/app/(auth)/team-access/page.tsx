import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { config } from '@/config';
import { SignInRuleViolationPanel } from '@/dashboard/accounts/team-access-panel';
import { paths } from '@/dashboard/paths';
import { readSessionContext } from '@/modules/accounts/session';
import { createTitleMetadata, ServerTranslationsProvider } from '../../server-translations';

export const generateMetadata = createTitleMetadata('team_access');

/** The page for a member whose sign-in does not meet the team's rules. */
export default async function Page() {
  const { signed_in, refused } = await readSessionContext(await headers());
  if (!signed_in) redirect(paths.sign_in);
  if (!refused) redirect(paths.home);
  return (
    <ServerTranslationsProvider of={['settings']}>
      <SignInRuleViolationPanel refused={refused} company={config().oidc?.name} />
    </ServerTranslationsProvider>
  );
}
