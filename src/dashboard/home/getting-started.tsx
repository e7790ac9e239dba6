'use client';
import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { paths } from '../paths';
import { toDisplayableError } from '../read-error';
import { useViewerClock } from '../reader';
import { useMe } from '../shell/me';
import { switchLiveOrTestMode } from '../shell/preferences';
import { type ProcedureOutputs, useTRPC, useTRPCClient } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { LinkButton } from '../ui/link-button';
import { toast } from '../ui/overlay/toaster';
import { getIsoDateInTimeZone } from '../ui/zone';

type Steps = ProcedureOutputs['home']['first_steps'];

interface Step {
  done: boolean;
  label: string;
  why: string;
  /** The mode that the step belongs to. */
  mode: 'live' | 'test';
  /**
   * The button's label, and the page that the button opens or the action that it runs. Null until
   * an earlier step is done.
   */
  act: { label: string; to: string } | { label: string; run: () => void; pending: boolean } | null;
}

/** Returns a function that creates the sample reservation. Its code is loaded on first use. */
function useCreateSample() {
  const t = useTranslations('home');
  const { user } = useMe();
  const { zone, now } = useViewerClock();
  const client = useTRPCClient();
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      const { createSampleReservation } = await import('./create-sample');
      const id = await createSampleReservation({
        client,
        t,
        guest: user,
        zone,
        today: getIsoDateInTimeZone(now(), zone),
      });
      router.push(paths.reservation(id));
    } catch (error) {
      toast.error(toDisplayableError(error).message);
      setPending(false);
    }
  };
  return { run: () => void run(), pending };
}

function stepsOf(steps: Steps, sample: ReturnType<typeof useCreateSample>, t: NamespaceTranslator<'home'>): Step[] {
  return [
    {
      done: steps.test_signature,
      label: t('have_a_packet_signed_in_test_mode'),
      why: t(
        steps.test_reservation_id ? 'open_it_send_it_sign_as_the_guest' : 'you_get_a_sample_and_sign_as_the_guest',
      ),
      mode: 'test',
      act: steps.test_reservation_id
        ? { label: t('open_the_reservation'), to: paths.reservation(steps.test_reservation_id) }
        : { label: t('create_a_sample'), ...sample },
    },
    {
      done: steps.property,
      label: t('create_a_property'),
      why: t('its_name_and_colours_are_on_what'),
      mode: 'live',
      act: { label: t('step_create'), to: paths.new_property },
    },
    {
      done: steps.packet,
      label: t('write_its_packet'),
      why: t('house_rules_fees_and_what_a_guest'),
      mode: 'live',
      act: steps.property_id ? { label: t('step_write'), to: paths.default_packet(steps.property_id) } : null,
    },
    {
      done: steps.calendar,
      label: t('connect_a_calendar'),
      why: t('its_bookings_become_reservations'),
      mode: 'live',
      act: steps.property_id ? { label: t('step_connect'), to: paths.connect_calendar } : null,
    },
  ];
}

/**
 * The first steps. A step is checked off when its result exists. Renders nothing when all are done,
 * when the user dismissed the list, or before the data is loaded.
 */
export function GettingStarted() {
  const t = useTranslations('home');
  const { mode, team } = useMe();
  const trpc = useTRPC();
  const query = useQuery(trpc.home.first_steps.queryOptions());
  const [away, putAway] = usePutAway(team.id);
  const sample = useCreateSample();
  if (!query.data || away) return null;
  const steps = stepsOf(query.data, sample, t);
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
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
            <StepRow step={step} mode={mode} next={step === next} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function StepRow({ step, mode, next }: { step: Step; mode: Step['mode']; next: boolean }) {
  const t = useTranslations('home');
  const elsewhere = step.mode !== mode;
  return (
    <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-5 py-3 text-sm">
      <span
        className={cn(
          'grid size-5 shrink-0 place-items-center rounded-full border',
          step.done ? 'border-success bg-success-tint text-success' : 'border-line-strong',
        )}
      >
        {step.done ? <Check className="size-3" aria-hidden /> : null}
      </span>
      <span className="min-w-48 flex-1">
        <span className={step.done ? 'text-ink-soft line-through' : 'font-medium'}>{step.label}</span>
        <span className="sr-only">{` (${t(step.done ? 'done' : 'to_do')})`}</span>
        {step.done ? null : (
          <span className="block text-ink-soft text-xs leading-relaxed">
            {step.why} {elsewhere ? t(`in_${step.mode}_mode`) : null}
          </span>
        )}
      </span>
      {step.done ? null : <StepButton step={step} elsewhere={elsewhere} variant={next ? 'primary' : 'secondary'} />}
    </div>
  );
}

/**
 * The button of a step. When the step belongs to the other mode, the button only switches the mode.
 */
function StepButton({
  step: { act, mode },
  elsewhere,
  variant,
}: {
  step: Step;
  elsewhere: boolean;
  variant: 'primary' | 'secondary';
}) {
  const t = useTranslations('shell');
  if (elsewhere) {
    return (
      <Button size="sm" variant={variant} onClick={() => switchLiveOrTestMode(mode)}>
        {t(`switch_to_${mode}_mode`)}
      </Button>
    );
  }
  if (!act) return null;
  if ('to' in act) {
    return (
      <LinkButton size="sm" variant={variant} href={act.to}>
        {act.label}
      </LinkButton>
    );
  }
  return (
    <Button size="sm" variant={variant} pending={act.pending} onClick={act.run}>
      {act.label}
    </Button>
  );
}

/** Returns whether the user dismissed the list in this browser, and a function to dismiss it. */
function usePutAway(team_id: string): [boolean, () => void] {
  const key = `threshold:first-steps-away:${team_id}`;
  const [away, setAway] = useState(false);
  useEffect(() => {
    try {
      setAway(window.localStorage.getItem(key) === '1');
    } catch {
      // When browser storage is unavailable, the list is always shown.
    }
  }, [key]);
  const put = () => {
    setAway(true);
    try {
      window.localStorage.setItem(key, '1');
    } catch {
      // When browser storage is unavailable, the list is hidden until the next page load.
    }
  };
  return [away, put];
}
