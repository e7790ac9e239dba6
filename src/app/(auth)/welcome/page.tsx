import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { CreateTeamForm } from '@/dashboard/accounts/welcome-form';
import { paths } from '@/dashboard/paths';
import { readSessionContext } from '@/modules/accounts/session';
import { createTitleMetadata } from '../../server-translations';

export const generateMetadata = createTitleMetadata('welcome');

export default async function Page() {
  const { signed_in, me, refused } = await readSessionContext(await headers());
  if (!signed_in) redirect(paths.sign_in);
  if (refused) redirect(paths.team_access);
  if (me) redirect(paths.home);
  return <CreateTeamForm name={signed_in.name} />;
}
