'use client';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Check, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { WordsOf } from '../i18n/words-of';
import { paths } from '../paths';
import { useMe } from '../shell/me';
import { switchMode } from '../shell/preferences';
import { type Outputs, useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { Link } from '../ui/link';

type Steps = Outputs['home']['first_steps'];

interface Step {
  done: boolean;
  label: string;
  why: string;
  /** A page, or something to do. */
  to: string | (() => void);
}

function stepsOf(steps: Steps, mode: 'live' | 'test', t: WordsOf<'home'>): Step[] {
  return [
    {
      done: steps.property,
      label: t('create_a_property'),
      why: t('its_name_and_colours_are_on_what'),
      to: steps.property ? paths.properties : paths.new_property,
    },
    {
      done: steps.packet,
      label: t('write_its_packet'),
      why: t('house_rules_fees_and_what_a_guest'),
      to: steps.property_id ? paths.property(steps.property_id) : paths.properties,
    },
    {
      done: steps.test_signature,
      label: t('have_a_packet_signed_in_test_mode'),
      why: mode === 'test' ? t('create_a_reservation_send_it_open_its') : t('this_switches_to_test_mode_where_nobody'),
      to: mode === 'test' ? paths.new_reservation : () => switchMode('test'),
    },
    {
      done: steps.key,
      label: t('create_an_api_key'),
      why: t('if_your_own_system_is_to_create'),
      to: paths.api_keys,
    },
    {
      done: steps.endpoint,
      label: t('add_a_webhook_endpoint'),
      why: t('if_your_own_system_is_to_hear'),
      to: paths.webhooks,
    },
  ];
}

/** The first steps, checked off by what exists. Gone when all are done or it was put away, and silent while it does not know. */
export function GettingStarted() {
  const t = useTranslations('home');
  const { mode, team } = useMe();
  const trpc = useTRPC();
  const query = useQuery(trpc.home.first_steps.queryOptions());
  const [away, putAway] = usePutAway(team.id);
  if (!query.data || away) return null;
  const steps = stepsOf(query.data, mode, t);
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <Card>
      <CardHeader
        title={t('getting_started')}
        description={t('done_of_count_done', { done, count: steps.length })}
        actions={
          <Button variant="ghost" size="sm" onClick={putAway}>
            <X aria-hidden />
            {t('put_away')}
          </Button>
        }
      />
      <ol aria-label={t('getting_started')} className="divide-y divide-line">
        {steps.map((step) => (
          <li key={step.label}>
            <StepRow step={step} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function StepRow({ step }: { step: Step }) {
  const t = useTranslations('home');
  const inside: ReactNode = (
    <>
      <span
        className={cn(
          'grid size-5 shrink-0 place-items-center rounded-full border',
          step.done ? 'border-success bg-success-tint text-success' : 'border-line-strong',
        )}
      >
        {step.done ? <Check className="size-3" aria-hidden /> : null}
      </span>
      <span className="min-w-0 flex-1 text-left">
        <span className={step.done ? 'text-ink-soft line-through' : 'font-medium'}>{step.label}</span>
        <span className="sr-only">{` (${t(step.done ? 'done' : 'to_do')})`}</span>
        {step.done ? null : <span className="block text-ink-soft text-xs leading-relaxed">{step.why}</span>}
      </span>
      <ArrowRight className="size-4 text-ink-soft" aria-hidden />
    </>
  );
  const look = 'flex w-full items-center gap-3.5 px-5 py-3 text-sm hover:bg-muted/60';
  return typeof step.to === 'string' ? (
    <Link href={step.to} className={look}>
      {inside}
    </Link>
  ) : (
    <button type="button" className={look} onClick={step.to}>
      {inside}
    </button>
  );
}

/** Whether this person put the list away in this browser. */
function usePutAway(team_id: string): [boolean, () => void] {
  const key = `threshold:first-steps-away:${team_id}`;
  const [away, setAway] = useState(false);
  useEffect(() => {
    try {
      setAway(window.localStorage.getItem(key) === '1');
    } catch {
      // A browser that keeps nothing shows it every time.
    }
  }, [key]);
  const put = () => {
    setAway(true);
    try {
      window.localStorage.setItem(key, '1');
    } catch {
      // As above.
    }
  };
  return [away, put];
}
