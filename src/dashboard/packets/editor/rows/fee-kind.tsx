'use client';
import { useTranslations } from 'use-intl/react';
import { classifyFee, FEE_TYPES, isFeeType } from '@/modules/packets/rules/fee-classes';
import { Button } from '../../../ui/button';
import { Field } from '../../../ui/form/field';
import { NativeSelect } from '../../../ui/form/input';
import type { PacketDraftFee } from '../draft';

const AUTOMATIC = '';

interface FeeKindProps {
  fee: PacketDraftFee;
  disabled: boolean;
  onChange: (type: string | null) => void;
}

/**
 * Shows the type of a fee, which the host chose or the text implies. When the text does not match
 * the chosen type, offers another type.
 */
export function FeeTypeField({ fee, disabled, onChange }: FeeKindProps) {
  const t = useTranslations('packets');
  const suggested = classifyFee({ label: fee.label, description: fee.description });
  const other = fee.type !== null && suggested !== null && suggested !== fee.type ? suggested : null;
  const group = (prefix: string) => FEE_TYPES.filter((type) => type.startsWith(prefix));
  const hint =
    fee.type === null && suggested === null && fee.label.trim()
      ? t('the_words_do_not_tell_choose_a')
      : t('those_that_fall_due_if_something_happens');
  return (
    <div className="grid gap-1.5">
      <Field label={t('kind')} hint={hint}>
        {(control) => (
          <NativeSelect
            {...control}
            value={fee.type ?? AUTOMATIC}
            disabled={disabled}
            onChange={(event) => onChange(event.target.value || null)}
          >
            <option value={AUTOMATIC}>
              {suggested ? t('automatic', { kind: t(`fee_${suggested}`) }) : t('automatic_not_recognised')}
            </option>
            <optgroup label={t('always_charged')}>
              {group('mandatory_').map((type) => (
                <option key={type} value={type}>
                  {t(`fee_${type}`)}
                </option>
              ))}
            </optgroup>
            <optgroup label={t('if_something_happens')}>
              {group('conditional_').map((type) => (
                <option key={type} value={type}>
                  {t(`fee_${type}`)}
                </option>
              ))}
            </optgroup>
            {fee.type !== null && !isFeeType(fee.type) ? <option value={fee.type}>{fee.type}</option> : null}
          </NativeSelect>
        )}
      </Field>
      {other && !disabled ? (
        <p className="text-ink-soft text-xs">
          {t.rich('it_reads_like', {
            kind: t(`fee_${other}`),
            button: (words) => (
              <Button variant="link" className="text-xs!" onClick={() => onChange(other)}>
                {words}
              </Button>
            ),
          })}
        </p>
      ) : null}
    </div>
  );
}
