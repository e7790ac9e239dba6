import { notFound } from 'next/navigation';
import { isSettingsSection } from '@/dashboard/settings/sections';
import { SettingsSection } from '@/dashboard/settings/settings-section';
import { ServerMessagesProvider } from '../../../words';

export default async function Page({ params }: { params: Promise<{ section: string }> }) {
  const { section } = await params;
  if (!isSettingsSection(section)) notFound();
  return (
    <ServerMessagesProvider of={['accounts', 'assistants']}>
      <SettingsSection section={section} />
    </ServerMessagesProvider>
  );
}
