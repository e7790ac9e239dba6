'use client';
import { LockKeyhole } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { isRoleAllowed } from '@/shared/roles';
import { useMe } from '../../shell/me';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { TeamDeletionCard } from './deletion-card';
import { EraseGuestCard } from './erase-guest-card';
import { ExportCard } from './export-card';

/**
 * Exports, erases and deletes data. Owners and managers can erase a guest. Only owners can export
 * or delete everything.
 */
export function DataExportAndErasureTab() {
  const t = useTranslations('settings');
  const { user, mode } = useMe();
  if (user.role !== 'owner') {
    const erases = isRoleAllowed(user.role, mode, ['manager']);
    return erases ? (
      <EraseGuestCard />
    ) : (
      <Card>
        <EmptyState icon={LockKeyhole} title={t('the_teams_data_is_for_owners')}>
          {t('an_export_holds_every_guests_data_and')}
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid gap-6">
      <EraseGuestCard />
      <ExportCard />
      <TeamDeletionCard />
    </div>
  );
}
