'use client';
import { ChevronDown, Coins, Plus } from 'lucide-react';
import { memo, useId, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { lazyComponent } from '../../ui/lazy-component';
import { toast } from '../../ui/overlay/toaster';
import { TextFieldWithShortCodes } from './code-text';
import { moveListItem, type PacketDraftFee } from './draft';
import { FeeTypeField } from './rows/fee-kind';
import { PacketItemRowTextArea } from './rows/row-text';
import { editListItem, reinsertListItem, removeListItem } from './rows/rows';
import { SortableList } from './rows/sortable';
import { buildSuggestedPacketFee, SUGGESTED_PACKET_FEES } from './rows/starter';
import type { EditorSectionProps } from './section';
import { createRuleOrFeeId } from './section';

const StarterDialog = lazyComponent(() =>
  import('./rows/starter-dialog').then((file) => file.AddSuggestedPacketItemsDialog),
);

const CURRENCIES = [
  'EUR',
  'USD',
  'GBP',
  'CHF',
  'CAD',
  'AUD',
  'NZD',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'BRL',
  'MXN',
  'JPY',
];
/** Units that are translated for guests. Any other unit is shown as the host wrote it. */
const UNITS = ['stay', 'night', 'day', 'hour', 'person', 'pet', 'item', 'incident'] as const;
const MAX_FEES = 100;

const newFee = (part: Partial<PacketDraftFee> = {}): PacketDraftFee => ({
  ...{ id: createRuleOrFeeId('fee'), label: '', amount: '', unit: '', description: '', type: null },
  ...part,
});

interface FeesSectionProps extends Pick<EditorSectionProps, 'change' | 'errors' | 'disabled'> {
  fees: readonly PacketDraftFee[];
  currency: string;
}

export const FeesSection = memo(function FeesSection({ fees, currency, change, errors, disabled }: FeesSectionProps) {
  const t = useTranslations('packets');
  const lists = useId();
  const [active, setActive] = useState<string | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  /**
   * The ids of new fees. Their missing fields are not shown as errors until the focus leaves them.
   */
  const [begun, setBegun] = useState<ReadonlySet<string>>(new Set());
  const [starting, setStarting] = useState(false);
  const on = useMemo(
    () => ({
      activate: setActive,
      toggle: (id: string) =>
        setOpened((now) => (now.has(id) ? new Set([...now].filter((each) => each !== id)) : new Set(now).add(id))),
      leave: (id: string) => setBegun((now) => (now.has(id) ? new Set([...now].filter((each) => each !== id)) : now)),
      edit: (id: string, part: Partial<PacketDraftFee>) =>
        change(({ fees: now }) => ({ fees: editListItem(now, id, part) })),
    }),
    [change],
  );
  const add = (some: readonly PacketDraftFee[]) => {
    change(({ fees: now }) => ({ fees: [...now, ...some].slice(0, MAX_FEES) }));
    setBegun((now) => new Set([...now, ...some.map(({ id }) => id)]));
    if (some.length === 1) setOpened((now) => new Set(now).add(some[0]?.id ?? ''));
  };
  const remove = (index: number) => {
    const removed = fees[index];
    if (!removed) return;
    change(({ fees: now }) => ({ fees: removeListItem(now, removed.id) }));
    if (!removed.label.trim()) return;
    const undo = () => change(({ fees: now }) => ({ fees: [...reinsertListItem(now, removed, index)] }));
    toast(t('the_fee_is_removed'), { action: { label: t('undo'), onClick: undo } });
  };
  const full = fees.length >= MAX_FEES ? t('a_packet_holds_at_most_max_fees', { most: MAX_FEES }) : null;
  return (
    <Card
      data-previewed="fees"
      onBlur={({ currentTarget, relatedTarget }) => {
        // The focus moved to an element outside of the card. A click on an empty area, for which
        // `relatedTarget` is null, does not count.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) setBegun(new Set());
      }}
    >
      <CardHeader
        title={t('fees')}
        description={t('what_is_always_charged_and_what_falls')}
        actions={
          <div className="flex flex-wrap gap-2">
            <Button variant="ghost" disabled={disabled} disabledReason={full} onClick={() => setStarting(true)}>
              <Coins aria-hidden />
              {t('usual_fees')}
            </Button>
            <Button variant="secondary" disabled={disabled} disabledReason={full} onClick={() => add([newFee()])}>
              <Plus aria-hidden />
              {t('add_a_fee')}
            </Button>
          </div>
        }
      />
      <CardBody className="border-b">
        <Field label={t('currency')} hint={t('of_all_amounts_eur_usd_gbp')} error={errors.currency}>
          {(control) => (
            <Input
              {...control}
              className="max-w-28 uppercase"
              list={`${lists}-currencies`}
              maxLength={3}
              autoComplete="off"
              spellCheck={false}
              value={currency}
              disabled={disabled}
              onChange={(event) => change({ currency: event.target.value.toUpperCase() })}
            />
          )}
        </Field>
      </CardBody>
      <datalist id={`${lists}-currencies`}>
        {CURRENCIES.map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
      <datalist id={`${lists}-units`}>
        {UNITS.map((unit) => (
          <option key={unit} value={`per ${unit}`} label={t(`unit_${unit}`)} />
        ))}
      </datalist>
      {fees.length === 0 ? (
        <EmptyState icon={Coins} title={t('no_fees_yet')}>
          {t('a_cleaning_fee_a_late_check_out')}
        </EmptyState>
      ) : (
        <SortableList
          items={fees}
          label={t('fees')}
          one="fee"
          disabled={disabled}
          onMove={(from, to) => change(({ fees: now }) => ({ fees: moveListItem(now, from, to) }))}
          onRemove={remove}
        >
          {(fee, index) => {
            const wrong = (part: string) => (begun.has(fee.id) ? undefined : errors[`fees.${fee.id}.${part}`]);
            return (
              <FeeRow
                fee={fee}
                index={index}
                currency={currency}
                units={`${lists}-units`}
                label_error={wrong('label')}
                amount_error={wrong('amount')}
                unit_error={wrong('unit')}
                description_error={wrong('description')}
                disabled={disabled}
                active={active === fee.id}
                open={opened.has(fee.id)}
                on={on}
              />
            );
          }}
        </SortableList>
      )}
      {starting ? (
        <StarterDialog
          title={t('usual_fees')}
          options={SUGGESTED_PACKET_FEES.map((fee) => ({
            key: buildSuggestedPacketFee(fee, t).label,
            label: buildSuggestedPacketFee(fee, t).label,
            hint: t(`unit_${fee.unit}`),
          }))}
          present={fees.map(({ label }) => label)}
          onClose={() => setStarting(false)}
          onAdd={(keys) =>
            add(
              SUGGESTED_PACKET_FEES.map((fee) => buildSuggestedPacketFee(fee, t))
                .filter(({ label }) => keys.includes(label))
                .map(newFee),
            )
          }
        />
      ) : null}
    </Card>
  );
});

interface FeeRowProps {
  fee: PacketDraftFee;
  index: number;
  currency: string;
  units: string;
  label_error?: string;
  amount_error?: string;
  unit_error?: string;
  description_error?: string;
  disabled: boolean;
  active: boolean;
  open: boolean;
  on: {
    activate: (id: string) => void;
    toggle: (id: string) => void;
    leave: (id: string) => void;
    edit: (id: string, part: Partial<PacketDraftFee>) => void;
  };
}

/**
 * A fee as one line, which expands to its details. Memoized, so that typing in one fee does not
 * re-render the others.
 */
const FeeRow = memo(function FeeRow(props: FeeRowProps) {
  const t = useTranslations('packets');
  const { fee, index, currency, units, disabled, active, on } = props;
  const details = useId();
  const open = props.open || Boolean(props.unit_error ?? props.description_error);
  const number = index + 1;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notices where the focus is.
    <div
      className="grid gap-3"
      onFocus={() => on.activate(fee.id)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) on.leave(fee.id);
      }}
    >
      <div className="flex items-start gap-2">
        <PacketItemRowTextArea
          label={t('fee_number', { number })}
          value={fee.label}
          maxLength={120}
          error={props.label_error}
          placeholder={t('late_check_out')}
          disabled={disabled}
          active={active}
          onChange={(label) => on.edit(fee.id, { label: label.replace(/\n/g, ' ') })}
        />
        <div className="w-24 shrink-0">
          <Input
            aria-label={t('amount_in_currency', { currency: currency || '…' })}
            aria-invalid={props.amount_error ? true : undefined}
            className="text-right"
            inputMode="decimal"
            autoComplete="off"
            placeholder="50"
            value={fee.amount}
            disabled={disabled}
            onChange={(event) => on.edit(fee.id, { amount: event.target.value })}
          />
          {props.amount_error ? (
            <p role="alert" className="mt-1 text-danger text-sm">
              {props.amount_error}
            </p>
          ) : null}
        </div>
        <Button
          variant="ghost"
          size="icon"
          className="text-ink-soft!"
          aria-expanded={open}
          aria-controls={details}
          aria-label={t('details_of_fee_number', { number })}
          title={t('details_of_fee_number', { number })}
          onClick={() => on.toggle(fee.id)}
        >
          <ChevronDown aria-hidden className={open ? 'rotate-180' : undefined} />
        </Button>
      </div>
      {open ? (
        <div id={details} className="grid gap-3">
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label={t('unit')} optional error={props.unit_error}>
              {(control) => (
                <Input
                  {...control}
                  list={units}
                  maxLength={40}
                  placeholder={t('per_stay')}
                  value={fee.unit}
                  disabled={disabled}
                  onChange={(event) => on.edit(fee.id, { unit: event.target.value })}
                />
              )}
            </Field>
            <FeeTypeField fee={fee} disabled={disabled} onChange={(type) => on.edit(fee.id, { type })} />
          </div>
          <TextFieldWithShortCodes
            label={t('description')}
            name={t('the_description_of_fee', { number })}
            optional
            value={fee.description}
            onChange={(description) => on.edit(fee.id, { description })}
            maxLength={500}
            rows={2}
            error={props.description_error}
            placeholder={t('after_11_00_without_agreement')}
            disabled={disabled}
          />
        </div>
      ) : null}
    </div>
  );
});
