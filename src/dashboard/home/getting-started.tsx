'use client';
import { ArrowRight, Check, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { paths } from '../paths';
import { useMe } from '../shell/me';
import { switchMode } from '../shell/preferences';
import type { Outputs } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { Link } from '../ui/link';
import { useFirstSteps } from './queries';

type Steps = Outputs['home']['first_steps'];

interface Step {
  done: boolean;
  label: string;
  why: string;
  /** A page, or something to do. */
  to: string | (() => void);
}

function stepsOf(steps: Steps, mode: 'live' | 'test'): Step[] {
  return [
    {
      done: steps.property,
      label: 'Create a property',
      why: 'Its name and colours are on what guests sign.',
      to: paths.properties,
    },
    {
      done: steps.packet,
      label: 'Write its packet',
      why: 'House rules, fees and what a guest needs at the door.',
      to: steps.property_id ? paths.property(steps.property_id) : paths.properties,
    },
    {
      done: steps.test_signature,
      label: 'Have a packet signed in test mode',
      why:
        mode === 'test'
          ? 'Create a reservation, send it, open its link and sign: nobody receives a mail.'
          : 'This switches to test mode, where nobody receives a mail.',
      to: mode === 'test' ? paths.new_reservation : () => switchMode('test'),
    },
    {
      done: steps.key,
      label: 'Create an API key',
      why: 'If your own system is to create reservations.',
      to: paths.api_keys,
    },
    {
      done: steps.endpoint,
      label: 'Add a webhook endpoint',
      why: 'If your own system is to hear of signatures.',
      to: paths.webhooks,
    },
  ];
}

/** The first steps, checked off by what exists. Gone when all are done or it was put away, and silent while it does not know. */
export function GettingStarted() {
  const { mode, team } = useMe();
  const query = useFirstSteps();
  const [away, putAway] = usePutAway(team.id);
  if (!query.data || away) return null;
  const steps = stepsOf(query.data, mode);
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <Card>
      <CardHeader
        title="Getting started"
        description={`${done} of ${steps.length} done`}
        actions={
          <Button variant="ghost" size="sm" onClick={putAway}>
            <X aria-hidden />
            Put away
          </Button>
        }
      />
      <ol aria-label="Getting started" className="divide-y divide-line">
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
        <span className="sr-only">{step.done ? ' (done)' : ' (to do)'}</span>
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
