'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { AuthError } from '../accounts/auth-client';
import { QueryErrorPanel } from '../query-error';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Switch } from '../ui/form/switch';
import { lazyComponent } from '../ui/lazy-component';

const PasswordDialog = lazyComponent(() => import('./password-dialog').then((file) => file.PasswordConfirmationDialog));

interface Rules {
  require_second_factor: boolean;
  require_company_account: boolean;
}

/** Changes the team's sign-in rules. Only for owners. */
export function SignInRulesCard() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const rules = useQuery(trpc.accounts.sign_in_rules.queryOptions());
  const update = useMutation(trpc.accounts.update_sign_in_rules.mutationOptions());
  const security = useQuery(trpc.accounts.security.queryOptions());
  /** Weaker rules are saved only after the user has entered the password. */
  const [relaxed, setRelaxed] = useState<Rules | null>(null);
  if (rules.error && !rules.data) return <QueryErrorPanel title={t('rules_not_loaded')} query={rules} />;
  if (!rules.data) return null;
  const { company, ...now } = rules.data;
  const change = (next: Rules, on: boolean) =>
    on || security.data?.proof !== 'password' ? update.mutate(next) : setRelaxed(next);
  return (
    <Card>
      <CardHeader title={t('sign_in_rules')} description={t('sign_in_rules_lead')} />
      <CardBody className="grid gap-5">
        <Rule
          label={t('rule_second_factor')}
          hint={t('rule_second_factor_hint')}
          checked={now.require_second_factor}
          onChange={(on) => change({ ...now, require_second_factor: on }, on)}
        />
        {company ? (
          <Rule
            label={t('rule_company', { company })}
            hint={t('rule_company_hint', { company })}
            checked={now.require_company_account}
            onChange={(on) => change({ ...now, require_company_account: on }, on)}
          />
        ) : null}
      </CardBody>
      {relaxed ? (
        <PasswordDialog
          title={t('rule_turn_off')}
          description={t('rule_turn_off_lead')}
          action={t('turn_it_off')}
          danger
          onClose={() => setRelaxed(null)}
          work={async (password) => {
            await update.mutateAsync({ ...relaxed, password }).catch((thrown) => {
              throw new AuthError('refused', toDisplayableError(thrown).message);
            });
            setRelaxed(null);
          }}
        />
      ) : null}
    </Card>
  );
}

function Rule({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch is inside.
    <label className="flex items-start justify-between gap-4 text-sm">
      <span className="grid gap-1">
        <span className="font-medium">{label}</span>
        <span className="text-ink-soft">{hint}</span>
      </span>
      <Switch aria-label={label} checked={checked} onCheckedChange={onChange} />
    </label>
  );
}
