'use client';
import { LockKeyhole } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../../shell/me';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { DeletionCard } from './deletion-card';
import { ExportCard } from './export-card';

/** Taking everything along, and deleting everything: the owner's alone. */
export function DataTab() {
  const t = useTranslations('settings');
  if (useMe().user.role !== 'owner') {
    return (
      <Card>
        <EmptyState icon={LockKeyhole} title={t('the_teams_data_is_for_owners')}>
          {t('an_export_holds_every_guests_data_and')}
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid gap-6">
      <ExportCard />
      <DeletionCard />
    </div>
  );
}
