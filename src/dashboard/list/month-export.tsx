'use client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ROLES_ALLOWED_TO_EXPORT } from '@/shared/roles';
import { useMe } from '../shell/me';
import { Button } from '../ui/button';
import { lazyComponent } from '../ui/lazy-component';
import type { MonthCsvExportKind } from './month-dialog';

const MonthDialog = lazyComponent(() => import('./month-dialog').then((file) => file.MonthCsvExportDialog));

/**
 * The button that exports a month as a CSV file. Renders nothing for members who may not export.
 */
export function MonthCsvExportButton({ first }: { first: MonthCsvExportKind }) {
  const ui = useTranslations('ui');
  const { user } = useMe();
  const [open, setOpen] = useState(false);
  if (!ROLES_ALLOWED_TO_EXPORT.includes(user.role)) return null;
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Download aria-hidden />
        {ui('export_open')}
      </Button>
      {open ? <MonthDialog first={first} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
