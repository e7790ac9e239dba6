'use client';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PROPERTIES_INPUT } from '../initial-queries';
import { paths } from '../paths';
import { useViewerClock } from '../reader';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Select } from '../ui/form/select';
import { AnchorButton } from '../ui/link-button';
import { Dialog } from '../ui/overlay/dialog';
import { getIsoDateInTimeZone } from '../ui/zone';

const KINDS = ['reservations', 'fees', 'certificates'] as const;
export type MonthCsvExportKind = (typeof KINDS)[number];
const ALL = 'all';

/**
 * Lets the user choose the kind of export, the month and the property, and starts the download. The
 * dialog stays open for further exports.
 */
export function MonthCsvExportDialog({ first, onClose }: { first: MonthCsvExportKind; onClose: () => void }) {
  const ui = useTranslations('ui');
  const me = useMe();
  const trpc = useTRPC();
  const { zone, now } = useViewerClock();
  const [kind, setKind] = useState<MonthCsvExportKind>(first);
  const [month, setMonth] = useState(getIsoDateInTimeZone(now(), zone).slice(0, 7));
  const [property, setProperty] = useState(ALL);
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const usable = /^20\d\d-\d\d$/.test(month);
  const href = paths.month_csv(me, { kind, month, property: property === ALL ? undefined : property });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={ui('export_title')}
      description={ui('export_lead')}
      footer={
        <AnchorButton href={usable ? href : undefined} aria-disabled={!usable} download>
          <Download aria-hidden />
          {ui('export_download')}
        </AnchorButton>
      }
    >
      <div className="grid gap-4">
        <Field label={ui('export_what')}>
          {(control) => (
            <Select
              {...control}
              value={kind}
              onValueChange={(value) => setKind(value as MonthCsvExportKind)}
              options={KINDS.map((value) => ({ value, label: ui(`export_${value}`) }))}
            />
          )}
        </Field>
        <Field
          label={ui('export_month')}
          hint={ui(kind === 'certificates' ? 'export_by_signing' : 'export_by_checkin')}
        >
          {(control) => (
            <Input {...control} type="month" value={month} onChange={(event) => setMonth(event.target.value)} />
          )}
        </Field>
        <Field label={ui('export_property')}>
          {(control) => (
            <Select
              {...control}
              value={property}
              onValueChange={setProperty}
              options={[
                { value: ALL, label: ui('export_all_properties') },
                ...(properties.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
