'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { removeScopesIncludedInOthers } from '../developers/api-keys/scope-groups';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import type { DeviceAwaitingApproval } from '../types';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { CardBody, CompactDescriptionList } from '../ui/card';
import { Link } from '../ui/link';
import { type ApiKeyGrantFormValues, DeviceLoginGrantFormFields } from './device-grant';
import { describeDeviceCodeError } from './refusal';

interface DeviceQuestionProps {
  code: string;
  device: DeviceAwaitingApproval;
  onAnswer: (answer: 'allowed' | 'refused') => void;
}

/**
 * Full access is preselected for a test key. For a live key, the owner has to choose full access.
 */
const initialGrant = ({ mode, scopes }: DeviceAwaitingApproval): ApiKeyGrantFormValues => ({
  scopes: scopes.length > 0 ? scopes : mode === 'test' ? null : [],
  days: 90,
});

/** Shows who requests which key of which team, and lets the owner choose what to grant. */
export function DeviceApprovalPrompt({ code, device, onAnswer }: DeviceQuestionProps) {
  const t = useTranslations('device');
  const keys = useTranslations('api_keys');
  const { team, teams } = useMe();
  const trpc = useTRPC();
  const options = { meta: { handlesError: true } };
  const allow = useMutation(trpc.api_keys.allow_device.mutationOptions(options));
  const refuse = useMutation(trpc.api_keys.refuse_device.mutationOptions(options));
  const { device_name, ip, mode, scopes, key_name, active, limit } = device;
  const full = active >= limit;
  const error = allow.error ?? refuse.error;
  const [grant, setGrant] = useState(() => initialGrant(device));
  const nothing = grant.scopes !== null && grant.scopes.length === 0 ? keys('choose_at_least_one_scope') : null;
  const allowIt = () => {
    const given = grant.scopes && removeScopesIncludedInOthers(grant.scopes);
    const input = { user_code: code, scopes: given, days: grant.days };
    allow.mutate(input, { onSuccess: () => onAnswer('allowed') });
  };
  return (
    <CardBody className="grid gap-5">
      <p className="font-mono font-semibold text-2xl tracking-widest">{code}</p>
      <Notice tone="warning" title={t('only_if_you_started_it')}>
        {t('compare_the_code')}
      </Notice>
      <CompactDescriptionList
        items={[
          {
            label: t('computer'),
            value: device_name ? (
              <>
                <q>{device_name}</q>
                <span className="block text-ink-soft text-xs">{t('name_is_unproven')}</span>
              </>
            ) : (
              t('says_no_name')
            ),
          },
          { label: t('asked_from'), value: ip ?? '–' },
          {
            label: t('team'),
            value: (
              <>
                {team.name}
                {teams.length > 1 ? <span className="block text-ink-soft text-xs">{t('another_team')}</span> : null}
              </>
            ),
          },
          { label: t('mode'), value: <Badge tone={mode === 'test' ? 'test' : 'danger'}>{t(`mode_${mode}`)}</Badge> },
          { label: t('key_name'), value: key_name },
        ]}
      />
      <DeviceLoginGrantFormFields mode={mode} asked={scopes} value={grant} onChange={setGrant} />
      {full ? (
        <p className="text-sm">
          {t('no_room', { limit })}{' '}
          <Link href={paths.api_keys} className="text-primary underline underline-offset-4">
            {t('api_keys')}
          </Link>
        </p>
      ) : null}
      {error ? (
        <p role="alert" className="text-danger text-sm">
          {describeDeviceCodeError(error, t)}
        </p>
      ) : null}
      <div className="grid gap-2 sm:grid-cols-2">
        <Button
          size="lg"
          pending={allow.isPending}
          disabledReason={full ? t('no_room', { limit }) : nothing}
          onClick={allowIt}
        >
          {t('allow')}
        </Button>
        <Button
          size="lg"
          variant="secondary"
          pending={refuse.isPending}
          onClick={() => refuse.mutate({ user_code: code }, { onSuccess: () => onAnswer('refused') })}
        >
          {t('refuse')}
        </Button>
      </div>
    </CardBody>
  );
}
