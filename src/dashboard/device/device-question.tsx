'use client';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { useMe } from '../shell/me';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { CardBody, FactLines } from '../ui/card';
import { Link } from '../ui/link';
import { useAnswerDevice, type WaitingDevice } from './queries';
import { refusal } from './refusal';

interface DeviceQuestionProps {
  code: string;
  device: WaitingDevice;
  onAnswer: (answer: 'allowed' | 'refused') => void;
}

/** Who asks for which key of which team, and what it would be able to do. */
export function DeviceQuestion({ code, device, onAnswer }: DeviceQuestionProps) {
  const t = useTranslations('device');
  const { team, teams } = useMe();
  const { allow, refuse } = useAnswerDevice();
  const { device_name, ip, mode, scopes, key_name, active, limit } = device;
  const full = active >= limit;
  const error = allow.error ?? refuse.error;
  const say = (answer: typeof allow, told: 'allowed' | 'refused') =>
    answer.mutate({ user_code: code }, { onSuccess: () => onAnswer(told) });
  return (
    <CardBody className="grid gap-5">
      <p className="font-mono font-semibold text-2xl tracking-widest">{code}</p>
      <Notice tone="warning" title={t('only_if_you_started_it')}>
        {t('compare_the_code')}
      </Notice>
      <FactLines
        items={[
          { label: t('computer'), value: device_name ?? t('says_no_name') },
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
          {
            label: t('may'),
            value:
              scopes.length === 0 ? (
                t(`everything_${mode}`)
              ) : (
                <span className="flex flex-wrap gap-1">
                  {scopes.map((scope) => (
                    <Badge key={scope} tone="info" className="font-mono">
                      {scope}
                    </Badge>
                  ))}
                </span>
              ),
          },
          { label: t('key_name'), value: key_name },
        ]}
      />
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
          {refusal(error, t)}
        </p>
      ) : null}
      <div className="grid gap-2 sm:grid-cols-2">
        <Button
          size="lg"
          pending={allow.isPending}
          disabledReason={full ? t('no_room', { limit }) : null}
          onClick={() => say(allow, 'allowed')}
        >
          {t('allow')}
        </Button>
        <Button size="lg" variant="secondary" pending={refuse.isPending} onClick={() => say(refuse, 'refused')}>
          {t('refuse')}
        </Button>
      </div>
    </CardBody>
  );
}
