import { DoorClosed } from 'lucide-react';
import { Card } from '@/dashboard/ui/card';
import { EmptyState } from '@/dashboard/ui/empty-state';
import { loadServerTranslator } from '../server-translations';

export default async function NotFound() {
  const t = await loadServerTranslator('ui');
  return (
    <Card>
      <EmptyState icon={DoorClosed} title={t('page_not_found')}>
        {t('page_not_found_detail')}
      </EmptyState>
    </Card>
  );
}
