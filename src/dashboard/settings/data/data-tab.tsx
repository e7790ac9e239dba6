'use client';
import { LockKeyhole } from 'lucide-react';
import { useMe } from '../../shell/me';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { DeletionCard } from './deletion-card';
import { ExportCard } from './export-card';

/** Taking everything along, and deleting everything: the owner's alone. */
export function DataTab() {
  if (useMe().user.role !== 'owner') {
    return (
      <Card>
        <EmptyState icon={LockKeyhole} title="The team’s data is for owners">
          An export holds every guest’s data, and a deletion all of it. Ask an owner of the account.
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
