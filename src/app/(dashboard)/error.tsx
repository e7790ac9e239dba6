'use client';
import { useTranslations } from 'use-intl/react';
import { Card } from '@/dashboard/ui/card';
import { ErrorPanel } from '@/dashboard/ui/error-panel';

export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('ui');
  return (
    <Card>
      <ErrorPanel
        title={t('page_not_shown')}
        message={t('page_not_shown_detail')}
        requestId={error.digest}
        onRetry={reset}
      />
    </Card>
  );
}
