'use client';
import { useQueries } from '@tanstack/react-query';
import { ArrowRight, Check } from 'lucide-react';
import Link from 'next/link';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';

/** The first steps, checked off by what exists. Gone when all are done, and silent while it does not know. */
export function GettingStarted() {
  const trpc = useTRPC();
  const [properties, reservations, signed, endpoints] = useQueries({
    queries: [
      trpc.properties.list.queryOptions({ limit: 1 }, { retry: false }),
      trpc.reservations.list.queryOptions({ limit: 1 }),
      trpc.reservations.list.queryOptions({ limit: 1, status: 'signed' }),
      trpc.webhook_endpoints.list.queryOptions({ limit: 1 }),
    ],
  });
  if (!properties.data || !reservations.data || !signed.data || !endpoints.data) return null;
  const steps = [
    { done: properties.data.data.length > 0, label: 'Create a property', href: paths.properties },
    { done: reservations.data.data.length > 0, label: 'Create a reservation', href: paths.reservations },
    { done: signed.data.data.length > 0, label: 'Have one signed: test mode will do', href: paths.reservations },
    { done: endpoints.data.data.length > 0, label: 'Hear of it through a webhook', href: paths.webhooks },
  ];
  const left = steps.filter((step) => !step.done).length;
  if (left === 0) return null;
  return (
    <Card>
      <CardHeader title="Getting started" description={`${steps.length - left} of ${steps.length} done`} />
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <li key={step.label}>
            <Link href={step.href} className="group flex items-center gap-3.5 px-5 py-3 text-sm hover:bg-muted/60">
              <span
                className={cn(
                  'grid size-5 shrink-0 place-items-center rounded-full border',
                  step.done ? 'border-success bg-success-tint text-success' : 'border-line-strong',
                )}
              >
                {step.done ? <Check className="size-3" aria-hidden /> : null}
              </span>
              <span className={cn('flex-1', step.done ? 'text-ink-soft line-through' : 'font-medium')}>
                {step.label}
                <span className="sr-only">{step.done ? ' (done)' : ' (to do)'}</span>
              </span>
              <ArrowRight className="size-4 text-ink-soft" aria-hidden />
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
