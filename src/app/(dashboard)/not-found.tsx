'use client';
import { DoorClosed } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Card } from '@/dashboard/ui/card';
import { EmptyState } from '@/dashboard/ui/empty-state';

export default function NotFound() {
  const t = useTranslations('ui');
  return (
    <Card>
      <EmptyState icon={DoorClosed} title={t('page_not_found')}>
        {t('page_not_found_detail')}
      </EmptyState>
    </Card>
  );
}
