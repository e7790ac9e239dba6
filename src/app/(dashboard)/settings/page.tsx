import { TeamTab } from '@/dashboard/settings/team-tab';

export default function Page() {
  return <TeamTab />;
}
