'use client';
import { Coins, Plus } from 'lucide-react';
import { useId } from 'react';
import { classifyFee, FEE_TYPES, isFeeType } from '@/modules/packets/rules/fee-classes';
import { newId } from '@/shared/ids';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { Field } from '../../ui/form/field';
import { Input, NativeSelect } from '../../ui/form/input';
import { toast } from '../../ui/overlay/toaster';
import { FEE_LABELS } from '../labels';
import { CodeText } from './code-text';
import { type DraftFee, moved } from './draft';
import type { SectionProps } from './section-props';
import { Sortable } from './sortable';

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
/** Units that guests read in their own language; any other is shown as it is written. */
const UNITS = ['per stay', 'per night', 'per day', 'per hour', 'per person', 'per pet', 'per item', 'per incident'];
const MAX_FEES = 100;

export function FeesSection({ draft, change, errors, disabled }: SectionProps) {
  const { fees } = draft;
  const lists = useId();
  const edit = (index: number, part: Partial<DraftFee>) =>
    change({ fees: fees.map((fee, at) => (at === index ? { ...fee, ...part } : fee)) });
  const add = () =>
    change({
      fees: [...fees, { id: newId('fee'), label: '', amount: '', unit: '', description: '', type: null }],
    });
  const remove = (index: number) => {
    const removed = fees[index];
    change({ fees: fees.toSpliced(index, 1) });
    if (removed?.label.trim()) {
      toast('The fee is removed.', { action: { label: 'Undo', onClick: () => change({ fees }) } });
    }
  };
  return (
    <Card>
      <CardHeader
        title="Fees"
        description="What is always charged, and what falls due when something happens."
        actions={
          <Button
            variant="secondary"
            disabled={disabled}
            disabledReason={fees.length >= MAX_FEES ? `A packet holds at most ${MAX_FEES} fees.` : null}
            onClick={add}
          >
            <Plus aria-hidden />
            Add a fee
          </Button>
        }
      />
      <CardBody className="border-b">
        <Field label="Currency" hint="Of all amounts: EUR, USD, GBP …" error={errors.currency}>
          {(control) => (
            <Input
              {...control}
              className="max-w-28 uppercase"
              list={`${lists}-currencies`}
              maxLength={3}
              autoComplete="off"
              spellCheck={false}
              value={draft.currency}
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
          <option key={unit} value={unit} />
        ))}
      </datalist>
      {fees.length === 0 ? (
        <EmptyState icon={Coins} title="No fees yet">
          A cleaning fee, a late check-out, a lost key: what a guest knows of beforehand is not disputed afterwards.
        </EmptyState>
      ) : (
        <Sortable
          items={fees}
          label="Fees"
          one="Fee"
          disabled={disabled}
          onMove={(from, to) => change({ fees: moved(fees, from, to) })}
          onRemove={remove}
        >
          {(fee, index) => (
            <div className="grid gap-3">
              <CodeText
                label={`Fee ${index + 1}`}
                value={fee.label}
                onChange={(label) => edit(index, { label: label.replace(/\n/g, ' ') })}
                maxLength={120}
                rows={1}
                error={errors[`fees.${fee.id}.label`]}
                placeholder="Late check-out"
                disabled={disabled}
              />
              <div className="grid gap-3 sm:grid-cols-2">
                <Field label={`Amount in ${draft.currency || '…'}`} error={errors[`fees.${fee.id}.amount`]}>
                  {(control) => (
                    <Input
                      {...control}
                      inputMode="decimal"
                      autoComplete="off"
                      placeholder="50"
                      value={fee.amount}
                      disabled={disabled}
                      onChange={(event) => edit(index, { amount: event.target.value })}
                    />
                  )}
                </Field>
                <Field label="Unit" optional error={errors[`fees.${fee.id}.unit`]}>
                  {(control) => (
                    <Input
                      {...control}
                      list={`${lists}-units`}
                      maxLength={40}
                      placeholder="per stay"
                      value={fee.unit}
                      disabled={disabled}
                      onChange={(event) => edit(index, { unit: event.target.value })}
                    />
                  )}
                </Field>
              </div>
              <FeeKind fee={fee} disabled={disabled} onChange={(type) => edit(index, { type })} />
              <CodeText
                label="Description"
                name={`the description of fee ${index + 1}`}
                optional
                value={fee.description}
                onChange={(description) => edit(index, { description })}
                maxLength={500}
                rows={2}
                error={errors[`fees.${fee.id}.description`]}
                placeholder="After 11:00 without agreement."
                disabled={disabled}
              />
            </div>
          )}
        </Sortable>
      )}
    </Card>
  );
}

const AUTOMATIC = '';

interface FeeKindProps {
  fee: DraftFee;
  disabled: boolean;
  onChange: (type: string | null) => void;
}

/** The kind of a fee: chosen, or read from its words. Where the words say something else than was chosen, it offers it. */
function FeeKind({ fee, disabled, onChange }: FeeKindProps) {
  const suggested = classifyFee({ label: fee.label, description: fee.description });
  const other = fee.type !== null && suggested !== null && suggested !== fee.type ? suggested : null;
  const group = (prefix: string) => FEE_TYPES.filter((type) => type.startsWith(prefix));
  const hint =
    fee.type === null && suggested === null && fee.label.trim()
      ? 'The words do not tell. Choose a kind, or it will not be in the listing text.'
      : 'Those that fall due if something happens are in the text for your listings.';
  return (
    <div className="grid gap-1.5">
      <Field label="Kind" hint={hint}>
        {(control) => (
          <NativeSelect
            {...control}
            value={fee.type ?? AUTOMATIC}
            disabled={disabled}
            onChange={(event) => onChange(event.target.value || null)}
          >
            <option value={AUTOMATIC}>
              {suggested ? `Automatic: ${FEE_LABELS[suggested]}` : 'Automatic: not recognised'}
            </option>
            <optgroup label="Always charged">
              {group('mandatory_').map((type) => (
                <option key={type} value={type}>
                  {FEE_LABELS[type]}
                </option>
              ))}
            </optgroup>
            <optgroup label="If something happens">
              {group('conditional_').map((type) => (
                <option key={type} value={type}>
                  {FEE_LABELS[type]}
                </option>
              ))}
            </optgroup>
            {fee.type !== null && !isFeeType(fee.type) ? <option value={fee.type}>{fee.type}</option> : null}
          </NativeSelect>
        )}
      </Field>
      {other && !disabled ? (
        <p className="text-ink-soft text-xs">
          It reads like “{FEE_LABELS[other]}”.{' '}
          <Button variant="link" className="text-xs" onClick={() => onChange(other)}>
            Use that
          </Button>
        </p>
      ) : null}
    </div>
  );
}
