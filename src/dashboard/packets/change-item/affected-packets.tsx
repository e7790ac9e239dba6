'use client';
import { useTranslations } from 'use-intl/react';
import { formatMoneyText } from '@/shared/money/money-text';
import { Checkbox } from '../../developers/checkbox';
import { useFormattingLocale } from '../../i18n/formats';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import type { PacketItemFormRow } from './item-change';

interface PlaceListProps {
  rows: readonly PacketItemFormRow[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Lists the packets that contain the fee or rule, with its current text in each. */
export function AffectedPacketList({ rows, chosen, onChoose }: PlaceListProps) {
  const t = useTranslations('everywhere');
  const packets = useTranslations('packets');
  const all = chosen.size === rows.length;
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between gap-3">
        <p className="font-medium text-sm">{t('where')}</p>
        <Button variant="ghost" size="sm" onClick={() => onChoose(new Set(all ? [] : rows.map(({ id }) => id)))}>
          {t(all ? 'select_none' : 'select_all')}
        </Button>
      </div>
      <ul aria-label={t('where')} className="max-h-60 divide-y divide-line overflow-y-auto rounded-lg border">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 px-3 py-2 text-sm">
            <Checkbox
              className="min-w-0 flex-1 basis-48"
              label={row.place.property_name}
              hint={row.place.packet_name}
              checked={chosen.has(row.id)}
              onChange={() => toggle(row.id)}
            />
            <span className="flex min-w-0 flex-wrap items-center gap-2 max-sm:pl-6">
              {row.place.is_default ? <Badge tone="primary">{packets('default')}</Badge> : null}
              <Said row={row} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Said({ row: { place, fee, rule } }: { row: PacketItemFormRow }) {
  const formats = useFormattingLocale();
  if (fee) {
    return (
      <span className="text-right">
        <span className="font-medium tabular-nums">{formatMoneyText(fee.amount_cents, place.currency, formats)}</span>
        {fee.unit ? ` ${fee.unit}` : null}
      </span>
    );
  }
  return <span className="break-words text-ink-soft">{rule?.text}</span>;
}
