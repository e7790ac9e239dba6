'use client';
import { useTranslations } from 'use-intl/react';
import { Checkbox } from '../checkbox';
import { API_KEY_SCOPE_GROUPS, getApiKeyScopeMessageKey, isScopeIncludedByOtherScope } from './scope-groups';

interface ScopePickerProps {
  value: readonly string[];
  onChange: (scopes: string[]) => void;
}

/**
 * Lets the user choose the scopes of a restricted key, by resource. A scope is ticked and cannot be
 * changed when another chosen scope includes it.
 */
export function ApiKeyScopePicker({ value, onChange }: ScopePickerProps) {
  const t = useTranslations('api_keys');
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...value, name] : value.filter((scope) => scope !== name));
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {API_KEY_SCOPE_GROUPS.map((group) => (
        <fieldset key={group.resource} className="grid content-start gap-2.5 rounded-lg border p-3.5">
          <legend className="px-1 font-medium text-sm">{t(`scopes_of_${group.resource}`)}</legend>
          {group.scopes.map((scope) => {
            const included = isScopeIncludedByOtherScope(value, scope.name);
            return (
              <Checkbox
                key={scope.name}
                checked={included || value.includes(scope.name)}
                disabled={included}
                onChange={(event) => toggle(scope.name, event.target.checked)}
                label={<code className="font-mono text-xs">{scope.name}</code>}
                hint={included ? t('comes_with_another_scope') : t(`scope_${getApiKeyScopeMessageKey(scope.name)}`)}
              />
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}
