'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { SignInRuleViolation } from '@/modules/accounts/schemas';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { lazyComponent } from '../ui/lazy-component';
import { postAuthRequest } from './auth-client';
import { AuthFormLayout } from './auth-form';
import { CompanySignInButton } from './company-sign-in';
import { supportsPasskeys } from './passkey-client';
import { useFormSubmit } from './use-submit';

const PasskeySignIn = lazyComponent(() => import('./passkey-sign-in').then((file) => file.PasskeySignIn));
const SessionsCard = lazyComponent(() => import('../settings/sessions-card').then((file) => file.SessionsCard));
const PasskeyDialog = lazyComponent(() => import('../settings/passkey-dialog').then((file) => file.PasskeyDialog));
const TwoFactorDialog = lazyComponent(() =>
  import('../settings/two-factor-dialog').then((file) => file.TwoFactorDialog),
);

const goHome = () => window.location.assign(paths.home);

/**
 * Shown when a member's sign-in does not meet the team's rules. The member can sign in another way
 * or set up a second factor.
 */
export function SignInRuleViolationPanel({ refused, company }: { refused: SignInRuleViolation; company?: string }) {
  const t = useTranslations('accounts');
  const settings = useTranslations('settings');
  const trpc = useTRPC();
  const [sessions, setSessions] = useState(false);
  const switchTeam = useMutation(trpc.accounts.switch_team.mutationOptions({ onSuccess: goHome }));
  const leave = useFormSubmit(async () => {
    await postAuthRequest('/sign-out');
    window.location.assign(paths.sign_in);
  });
  const { need, team_name, other_teams } = refused;
  return (
    <AuthFormLayout
      title={t(`team_access_${need}`)}
      lead={t(`lead_access_${need}`, { team: team_name, company: company ?? '' })}
      error={leave.error}
      after={
        <div className="grid gap-3">
          {other_teams.map(({ id, name }) => (
            <Button key={id} variant="secondary" onClick={() => switchTeam.mutate({ team_id: id })}>
              {t('open_team', { team: name })}
            </Button>
          ))}
          {sessions ? (
            <SessionsCard />
          ) : (
            <Button variant="link" onClick={() => setSessions(true)}>
              {settings('sessions')}
            </Button>
          )}
          <Button variant="link" pending={leave.pending} onClick={() => leave.submit(undefined)}>
            {t('sign_out')}
          </Button>
        </div>
      }
    >
      {need === 'company_account' ? (
        <CompanySignInButton name={company ?? ''} next={paths.home} />
      ) : (
        <SecondFactorSetUp />
      )}
    </AuthFormLayout>
  );
}

function SecondFactorSetUp() {
  const t = useTranslations('accounts');
  const settings = useTranslations('settings');
  const trpc = useTRPC();
  const security = useQuery(trpc.accounts.security.queryOptions());
  const [open, setOpen] = useState<'passkey' | 'app' | null>(null);
  if (!security.data) return null;
  const { passkeys, proof } = security.data;
  // The account has a second factor, which this session did not use.
  if (proof === 'sign_in' && passkeys.length === 0) return <p className="text-sm">{settings('sign_in_again_first')}</p>;
  if (passkeys.length > 0) return <PasskeySignIn next={paths.home} />;
  return (
    <div className="grid gap-3">
      {supportsPasskeys() ? (
        <Button size="lg" onClick={() => setOpen('passkey')}>
          {t('access_add_passkey')}
        </Button>
      ) : null}
      <Button size="lg" variant="secondary" onClick={() => setOpen('app')}>
        {t('access_use_app')}
      </Button>
      {open === 'passkey' ? (
        <PasskeyDialog kind="add" proof={proof} onClose={() => setOpen(null)} onDone={goHome} />
      ) : null}
      {open === 'app' ? <TwoFactorDialog onClose={goHome} /> : null}
    </div>
  );
}
