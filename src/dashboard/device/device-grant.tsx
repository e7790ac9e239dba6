'use client';
import { useTranslations } from 'use-intl/react';
import { ApiKeyScopePicker } from '../developers/api-keys/scope-picker';
import { Checkbox } from '../developers/checkbox';
import { Field } from '../ui/form/field';
import { Select } from '../ui/form/select';

export interface ApiKeyGrantFormValues {
  /** Null for full access. */
  scopes: readonly string[] | null;
  days: number;
}

const DAYS = [1, 7, 30, 90, 365];

interface DeviceGrantProps {
  mode: 'live' | 'test';
  /** The scopes that the program requested. Empty for full access. */
  asked: readonly string[];
  value: ApiKeyGrantFormValues;
  onChange: (grant: ApiKeyGrantFormValues) => void;
}

/** Lets the owner choose what to grant: at most the requested scopes, for a number of days. */
export function DeviceLoginGrantFormFields({ mode, asked, value, onChange }: DeviceGrantProps) {
  const t = useTranslations('device');
  const { scopes, days } = value;
  const chosen = scopes ?? [];
  const setScopes = (next: readonly string[] | null) => onChange({ ...value, scopes: next });
  return (
    <div className="grid gap-5">
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-medium text-sm">{t('may')}</legend>
        {asked.length > 0 ? (
          asked.map((scope) => (
            <Checkbox
              key={scope}
              checked={chosen.includes(scope)}
              onChange={({ target }) =>
                setScopes(asked.filter((one) => (one === scope ? target.checked : chosen.includes(one))))
              }
              label={<code className="font-mono text-xs">{scope}</code>}
            />
          ))
        ) : (
          <>
            <Checkbox
              type="radio"
              name="grant"
              checked={scopes !== null}
              onChange={() => setScopes([])}
              label={t('only_what_i_choose')}
            />
            <Checkbox
              type="radio"
              name="grant"
              checked={scopes === null}
              onChange={() => setScopes(null)}
              label={t(`everything_${mode}`)}
            />
          </>
        )}
      </fieldset>
      {asked.length === 0 && scopes !== null ? <ApiKeyScopePicker value={scopes} onChange={setScopes} /> : null}
      <Field label={t('valid_for')}>
        {(control) => (
          <Select
            {...control}
            value={String(days)}
            onValueChange={(text) => onChange({ ...value, days: Number(text) })}
            options={DAYS.map((count) => ({ value: String(count), label: t('days', { count }) }))}
          />
        )}
      </Field>
    </div>
  );
}
