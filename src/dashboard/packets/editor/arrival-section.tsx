'use client';
import { Lock, LockOpen, UserLock } from 'lucide-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ArrivalDetailGroup } from '@/modules/packets/schemas';
import { Card, CardHeader } from '../../ui/card';
import { cn } from '../../ui/cn';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { HelpLink } from '../../ui/help-link';
import { ARRIVAL_FIELD_GROUPS } from '../labels';
import { TextFieldWithShortCodes } from './code-text';
import { hasFilledArrivalField } from './draft';
import type { EditorSectionProps } from './section';

type Policy = EditorSectionProps['draft']['arrival_release'][ArrivalDetailGroup];

const POLICIES: { value: Policy; Icon: typeof Lock }[] = [
  { value: 'before_signing', Icon: LockOpen },
  { value: 'after_signing', Icon: Lock },
  { value: 'manual', Icon: UserLock },
];

/** The fields for the arrival details, with the release time of each group. */
export function ArrivalDetailsEditorSection({ draft, change, errors, disabled }: EditorSectionProps) {
  const t = useTranslations('packets');
  const terms = useTranslations('terms');
  return (
    <Card data-previewed="arrival">
      <CardHeader
        title={t('arrival_details')}
        description={
          <>
            {t('what_is_held_never_leaves_the_server')} <HelpLink page="arrival-details" />
          </>
        }
      />
      <div className="divide-y divide-line">
        {ARRIVAL_FIELD_GROUPS.map((group) => (
          <fieldset key={group} className="grid gap-4 px-5 py-5">
            <legend className="float-left font-semibold text-sm">{terms(`arrival_${group}`)}</legend>
            {group === 'wifi' ? (
              <div className="grid gap-3 sm:grid-cols-2">
                <Field label={t('network')} optional error={errors['arrival_details.wifi.network']}>
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
                <Field label={t('password')} optional error={errors['arrival_details.wifi.password']}>
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
              <TextFieldWithShortCodes
                label={t('text')}
                name={terms(`arrival_${group}`)}
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
              idle={!hasFilledArrivalField(draft, group)}
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
  group: ArrivalDetailGroup;
  value: Policy;
  /** True when every field of the group is empty, so the release time has no effect. */
  idle: boolean;
  disabled: boolean;
  onChange: (policy: Policy) => void;
}

function ReleaseChoice({ group, value, idle, disabled, onChange }: ReleaseChoiceProps) {
  const t = useTranslations('packets');
  const terms = useTranslations('terms');
  const name = useId();
  return (
    <div className="grid gap-1.5">
      <div
        role="radiogroup"
        aria-label={t('when_it_is_shown', { group: terms(`arrival_${group}`) })}
        className="grid overflow-hidden rounded-md border border-line-strong sm:grid-cols-3"
      >
        {POLICIES.map(({ value: policy, Icon }) => (
          <label
            key={policy}
            className={cn(
              'flex items-center gap-2 border-line px-3 py-2 text-sm not-last:border-b has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:-outline-offset-2 sm:not-last:border-r sm:not-last:border-b-0',
              policy === value ? 'bg-tint font-medium text-primary' : 'text-ink-soft hover:bg-muted',
              disabled ? 'cursor-not-allowed opacity-60' : 'cursor-pointer',
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
            {t(`release_${policy}`)}
          </label>
        ))}
      </div>
      <p className="text-ink-soft text-xs">{idle ? t('nothing_is_filled_in_yet') : t(`release_hint_${value}`)}</p>
    </div>
  );
}
