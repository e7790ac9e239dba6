'use client';
import { Checkbox } from '../checkbox';
import { isIncluded, SCOPE_GROUPS } from './scope-groups';

interface ScopePickerProps {
  value: readonly string[];
  onChange: (scopes: string[]) => void;
}

/** What a restricted key may do, by resource. What comes with another scope is marked and cannot be taken away. */
export function ScopePicker({ value, onChange }: ScopePickerProps) {
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...value, name] : value.filter((scope) => scope !== name));
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {SCOPE_GROUPS.map((group) => (
        <fieldset key={group.resource} className="grid content-start gap-2.5 rounded-lg border p-3.5">
          <legend className="px-1 font-medium text-sm">{group.label}</legend>
          {group.scopes.map((scope) => {
            const included = isIncluded(value, scope.name);
            return (
              <Checkbox
                key={scope.name}
                checked={included || value.includes(scope.name)}
                disabled={included}
                onChange={(event) => toggle(scope.name, event.target.checked)}
                label={<code className="font-mono text-xs">{scope.name}</code>}
                hint={included ? 'Comes with another scope.' : scope.description}
              />
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}
