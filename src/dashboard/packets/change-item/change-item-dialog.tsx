'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PACKET_ITEM_KINDS } from '@/modules/packets/change-item/item.rules';
import { MAX_BULK_PREVIEW_RESERVATIONS } from '@/modules/reservations/bulk/bulk-limits.rules';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { type ProcedureOutputs, useTRPC } from '../../trpc';
import type { GuestAffectedByPacketItemChange, PacketContainingGivenFeeOrRule, PacketItem } from '../../types';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input, NativeSelect } from '../../ui/form/input';
import { lazyComponent } from '../../ui/lazy-component';
import { Dialog } from '../../ui/overlay/dialog';
import { Skeleton } from '../../ui/skeleton';
import { AffectedGuestList } from './affected-guests';
import { AffectedPacketList } from './affected-packets';
import {
  buildPacketItemFormRows,
  filterFormRowsAffectedByChange,
  groupPacketItemRowsByPacket,
  listPacketItemFields,
  type PacketItemField,
  type PacketItemFormValues,
  parsePacketItemChange,
} from './item-change';
import { PacketItemChangeResultList } from './item-change-results';

const BulkDialog = lazyComponent(() => import('../../reservations/bulk/bulk-dialog'));

const RESEND = 'resend';

interface ChangeItemDialogProps {
  onClose: () => void;
  /** Called after packets may have changed. */
  onChanged?: () => void;
}

interface Done {
  rows: ProcedureOutputs['packets']['change_item']['rows'];
  places: readonly PacketContainingGivenFeeOrRule[];
}

/**
 * Changes one fee or rule in every packet that contains it. The rest of each packet is not changed.
 */
export default function ChangeItemDialog({ onClose, onChanged }: ChangeItemDialogProps) {
  const t = useTranslations('everywhere');
  const packets = useTranslations('packets');
  const trpc = useTRPC();
  const [item, setItem] = useState<PacketItem | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string> | null>(null);
  const [typed, setTyped] = useState<PacketItemFormValues>({});
  const [done, setDone] = useState<Done | null>(null);
  /** Guests to whom the host can send the new version after the change. */
  const [unsigned, setUnsigned] = useState<readonly GuestAffectedByPacketItemChange[]>([]);
  const [resending, setResending] = useState(false);

  const known = useQuery(trpc.packets.items.queryOptions(undefined, { staleTime: 0 }));
  const query = { kind: item?.kind ?? 'fee', key: item?.key ?? '' };
  const asked = { enabled: item !== null && done === null, staleTime: 0 };
  const places = useQuery(trpc.packets.item.queryOptions(query, asked));
  const guests = useQuery(trpc.reservations.item_guests.queryOptions(query, asked));
  const change = useMutation(trpc.packets.change_item.mutationOptions({ meta: { handlesError: true } }));

  const rows = item && places.data ? buildPacketItemFormRows(places.data.data) : [];
  // All rows are preselected, except for the rules of a category, which differ from each other.
  const chosen = marked ?? new Set(item?.kind === 'category' ? [] : rows.map(({ id }) => id));
  const wanted = rows.filter(({ id }) => chosen.has(id));
  const fields = listPacketItemFields(wanted);
  const { change: wish, errors } = parsePacketItemChange(fields, typed, packets);
  const changing = wish ? filterFormRowsAffectedByChange(wanted, wish) : wanted;
  const targets = groupPacketItemRowsByPacket(changing);
  const touched = new Set(targets.map(({ packet_id }) => packet_id));
  const concerned = (guests.data?.data ?? []).filter(({ packet_id }) => touched.has(packet_id));

  const choose = (next: PacketItem | null) => {
    setItem(next);
    setMarked(null);
    setTyped({});
  };
  const start = () => {
    if (!wish) return;
    change.mutate(
      { targets, change: wish },
      {
        onSuccess: (result) => {
          const changed = new Set(result.rows.flatMap((row) => (row.outcome === 'done' ? [row.packet_id] : [])));
          setUnsigned(concerned.filter(({ packet_id, signed }) => !signed && changed.has(packet_id)));
          setDone({ rows: result.rows, places: places.data?.data ?? [] });
          onChanged?.();
        },
      },
    );
  };

  if (resending) {
    const next = unsigned.slice(MAX_BULK_PREVIEW_RESERVATIONS);
    return (
      <BulkDialog
        action={RESEND}
        ids={unsigned.slice(0, MAX_BULK_PREVIEW_RESERVATIONS).map(({ id }) => id)}
        onClose={() => setResending(false)}
        onDone={() => {
          setUnsigned(next);
          setResending(false);
          if (next.length === 0) onClose();
        }}
      />
    );
  }
  const refused = change.error ?? places.error ?? guests.error ?? known.error;
  const blocked = changing.length === 0 || !wish || Object.keys(errors).length > 0 || guests.isPending;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={t('title')}
      description={done ? undefined : t('nothing_else_changes')}
      dismissLabel={done ? packets('close') : packets('not_now')}
      footer={
        done ? (
          unsigned.length > 0 ? (
            <Button onClick={() => setResending(true)}>{t('send_again', { count: unsigned.length })}</Button>
          ) : null
        ) : (
          <Button disabled={blocked} pending={change.isPending} onClick={start}>
            {item ? t('change_in', { count: changing.length }) : t('change')}
          </Button>
        )
      }
    >
      {done ? (
        <PacketItemChangeResultList {...done} unsigned={unsigned.length} />
      ) : (
        <div className="grid gap-5">
          <ItemChoice items={known.data?.data} chosen={item} onChoose={choose} />
          {known.data?.has_more || places.data?.has_more ? <p className="text-sm">{t('too_many_packets')}</p> : null}
          {item && !places.data && !places.error ? <Skeleton className="h-32" /> : null}
          {rows.length > 0 ? (
            <>
              <AffectedPacketList rows={rows} chosen={chosen} onChoose={setMarked} />
              <ChangeFields fields={fields} typed={typed} errors={errors} onType={setTyped} />
              <AffectedGuestList guests={concerned} more={guests.data?.has_more ?? false} />
            </>
          ) : null}
          <FormErrorMessage refused={refused ? toDisplayableError(refused) : null} />
        </div>
      )}
    </Dialog>
  );
}

interface ItemChoiceProps {
  items: readonly PacketItem[] | undefined;
  chosen: PacketItem | null;
  onChoose: (item: PacketItem | null) => void;
}

const optionOf = ({ kind, key }: PacketItem) => `${kind} ${key}`;

function ItemChoice({ items, chosen, onChoose }: ItemChoiceProps) {
  const t = useTranslations('everywhere');
  if (items?.length === 0) return <p className="text-sm">{t('no_fees_or_rules')}</p>;
  return (
    <Field label={t('what')}>
      {(control) => (
        <NativeSelect
          {...control}
          value={chosen ? optionOf(chosen) : ''}
          onChange={({ target }) => onChoose(items?.find((each) => optionOf(each) === target.value) ?? null)}
        >
          <option value="">{t('choose')}</option>
          {PACKET_ITEM_KINDS.map((kind) => (
            <optgroup key={kind} label={t(`kind_${kind}`)}>
              {(items ?? [])
                .filter((each) => each.kind === kind)
                .map((each) => (
                  <option key={each.key} value={optionOf(each)}>
                    {t('item_in', { name: each.name, count: each.packets })}
                  </option>
                ))}
            </optgroup>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

interface ChangeFieldsProps {
  fields: readonly PacketItemField[];
  typed: PacketItemFormValues;
  errors: Readonly<Record<string, string>>;
  onType: (typed: PacketItemFormValues) => void;
}

const LONGEST = { label: 120, unit: 40, description: 500, text: 500, category: 80 } as const;

function ChangeFields({ fields, typed, errors, onType }: ChangeFieldsProps) {
  const t = useTranslations('everywhere');
  const packets = useTranslations('packets');
  const labels = {
    label: 'fee',
    unit: 'unit',
    description: 'description',
    text: 'rule',
    category: 'category',
  } as const;
  const labelOf = ({ name, currency }: PacketItemField) =>
    currency ? packets('amount_in_currency', { currency }) : packets(labels[name as keyof typeof labels]);
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-2 font-medium text-sm">{t('new_version')}</legend>
      {fields.map((field) => {
        const { name, shared, currency } = field;
        return (
          <Field
            key={name}
            className={name === 'description' || name === 'text' ? 'sm:col-span-2' : undefined}
            label={labelOf(field)}
            error={errors[name]}
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                inputMode={currency ? 'decimal' : undefined}
                maxLength={LONGEST[name as keyof typeof LONGEST]}
                placeholder={shared === null ? t('differs') : undefined}
                value={typed[name] ?? shared ?? ''}
                onChange={({ target }) => onType({ ...typed, [name]: target.value })}
              />
            )}
          </Field>
        );
      })}
    </fieldset>
  );
}
