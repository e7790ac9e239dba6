'use client';
import { classifyFee, FEE_TYPES, isFeeType } from '@/modules/packets/rules/fee-classes';
import { Button } from '../../../ui/button';
import { Field } from '../../../ui/form/field';
import { NativeSelect } from '../../../ui/form/input';
import { FEE_LABELS } from '../../labels';
import type { DraftFee } from '../draft';

const AUTOMATIC = '';

interface FeeKindProps {
  fee: DraftFee;
  disabled: boolean;
  onChange: (type: string | null) => void;
}

/** The kind of a fee: chosen, or read from its words. Where the words say something else than was chosen, it offers it. */
export function FeeKind({ fee, disabled, onChange }: FeeKindProps) {
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
