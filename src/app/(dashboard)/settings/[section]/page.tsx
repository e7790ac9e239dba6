import { notFound } from 'next/navigation';
import { isSettingsSection } from '@/dashboard/settings/sections';
import { SettingsSection } from '@/dashboard/settings/settings-section';
import { Words } from '../../../words';

export default async function Page({ params }: { params: Promise<{ section: string }> }) {
  const { section } = await params;
  if (!isSettingsSection(section)) notFound();
  return (
    <Words of={['accounts', 'assistants']}>
      <SettingsSection section={section} />
    </Words>
  );
}
