import { notFound } from 'next/navigation';
import { isSettingsSubpage } from '@/dashboard/settings/sections';
import { SettingsSectionContent } from '@/dashboard/settings/settings-section';
import { ServerTranslationsProvider } from '../../../server-translations';

export default async function Page({ params }: { params: Promise<{ section: string }> }) {
  const { section } = await params;
  if (!isSettingsSubpage(section)) notFound();
  return (
    <ServerTranslationsProvider of={['accounts', 'assistants']}>
      <SettingsSectionContent section={section} />
    </ServerTranslationsProvider>
  );
}
