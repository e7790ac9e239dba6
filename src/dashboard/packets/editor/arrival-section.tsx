'use client';
import { Lock, LockOpen, UserLock } from 'lucide-react';
import { useId } from 'react';
import type { ArrivalGroup } from '@/modules/packets/schemas';
import { Card, CardHeader } from '../../ui/card';
import { cn } from '../../ui/cn';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { ARRIVAL_GROUPS, ARRIVAL_LABELS } from '../labels';
import { CodeText } from './code-text';
import { isFilled } from './draft';
import type { SectionProps } from './section-props';

type Policy = SectionProps['draft']['arrival_release'][ArrivalGroup];

const POLICIES: { value: Policy; label: string; Icon: typeof Lock; hint: string }[] = [
  { value: 'before_signing', label: 'Before signing', Icon: LockOpen, hint: 'Shown as soon as the link is opened.' },
  { value: 'after_signing', label: 'After signing', Icon: Lock, hint: 'Held until the guest has signed.' },
  {
    value: 'manual',
    label: 'Only when you release it',
    Icon: UserLock,
    hint: 'Held until you release it on the reservation’s page.',
  },
];

/** What a guest needs to get in, and from when on it is shown. */
export function ArrivalSection({ draft, change, errors, disabled }: SectionProps) {
  return (
    <Card>
      <CardHeader
        title="Arrival details"
        description="What is held never leaves the server before its time: not in the page, the API or a webhook."
      />
      <div className="divide-y divide-line">
        {ARRIVAL_GROUPS.map((group) => (
          <fieldset key={group} className="grid gap-4 px-5 py-5">
            <legend className="float-left font-semibold text-sm">{ARRIVAL_LABELS[group]}</legend>
            {group === 'wifi' ? (
              <div className="grid gap-3 sm:grid-cols-2">
                <Field label="Network" optional error={errors['arrival_details.wifi.network']}>
                  {(control) => (
                    <Input
                      {...control}
                      maxLength={120}
                      autoComplete="off"
                      spellCheck={false}
                      value={draft.wifi_network}
                      disabled={disabled}
                      onChange={(event) => change({ wifi_network: event.target.value })}
                    />
                  )}
                </Field>
                <Field label="Password" optional error={errors['arrival_details.wifi.password']}>
                  {(control) => (
                    <Input
                      {...control}
                      maxLength={120}
                      autoComplete="off"
                      spellCheck={false}
                      value={draft.wifi_password}
                      disabled={disabled}
                      onChange={(event) => change({ wifi_password: event.target.value })}
                    />
                  )}
                </Field>
              </div>
            ) : (
              <CodeText
                label="Text"
                name={ARRIVAL_LABELS[group]}
                optional
                maxLength={2_000}
                rows={group === 'door_code' ? 1 : 3}
                value={draft[group]}
                onChange={(text) => change({ [group]: text })}
                error={errors[`arrival_details.${group}`]}
                disabled={disabled}
              />
            )}
            <ReleaseChoice
              group={group}
              value={draft.arrival_release[group]}
              idle={!isFilled(draft, group)}
              disabled={disabled}
              onChange={(policy) => change({ arrival_release: { ...draft.arrival_release, [group]: policy } })}
            />
          </fieldset>
        ))}
      </div>
    </Card>
  );
}

interface ReleaseChoiceProps {
  group: ArrivalGroup;
  value: Policy;
  /** Nothing is filled in, so nothing is shown or held. */
  idle: boolean;
  disabled: boolean;
  onChange: (policy: Policy) => void;
}

function ReleaseChoice({ group, value, idle, disabled, onChange }: ReleaseChoiceProps) {
  const name = useId();
  const hint = POLICIES.find((policy) => policy.value === value)?.hint;
  return (
    <div className="grid gap-1.5">
      <div
        role="radiogroup"
        aria-label={`When ${ARRIVAL_LABELS[group]} is shown`}
        className="grid overflow-hidden rounded-md border border-line-strong sm:grid-cols-3"
      >
        {POLICIES.map(({ value: policy, label, Icon }) => (
          <label
            key={policy}
            className={cn(
              'flex cursor-pointer items-center gap-2 border-line px-3 py-2 text-sm not-last:border-b has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:-outline-offset-2 sm:not-last:border-r sm:not-last:border-b-0',
              policy === value ? 'bg-tint font-medium text-primary' : 'text-ink-soft hover:bg-muted',
              disabled && 'cursor-not-allowed opacity-60',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={policy === value}
              disabled={disabled}
              onChange={() => onChange(policy)}
            />
            <Icon className="size-4 shrink-0" aria-hidden />
            {label}
          </label>
        ))}
      </div>
      <p className="text-ink-soft text-xs">{idle ? 'Nothing is filled in yet.' : hint}</p>
    </div>
  );
}
