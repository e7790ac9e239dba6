'use client';
import { useMutation } from '@tanstack/react-query';
import { ArrowRight, CircleCheck, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { readError } from '../read-error';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { ErrorPanel } from '../ui/error-panel';
import { Link } from '../ui/link';
import { LinkButton } from '../ui/link-button';
import { Skeleton } from '../ui/skeleton';
import type { AttentionItem } from './attention';

const SHOWN = 8;

interface AttentionCardProps {
  title?: string;
  /** Undefined while it is not known. */
  items: AttentionItem[] | undefined;
  error: unknown;
  onRetry: () => void;
  /** Where the rest is; without it all are shown. */
  more?: string;
}

/** What needs the host first. There from the start, so that nothing moves when it turns out that all is well. */
export function AttentionCard({ title: given, items, error, onRetry, more }: AttentionCardProps) {
  const t = useTranslations('home');
  const trpc = useTRPC();
  const both_real = useMutation(trpc.reservations.both_real.mutationOptions());
  const title = given ?? t('needs_your_attention');
  const shown = more ? SHOWN : items?.length;
  return (
    <Card aria-busy={!items && !error}>
      <CardHeader title={title} />
      {error && !items ? (
        <ErrorPanel
          title={t('what_needs_attention_could_not_be_loaded')}
          message={readError(error).message}
          requestId={readError(error).request_id}
          onRetry={onRetry}
        />
      ) : null}
      {!items && !error ? (
        <div className="grid gap-4 px-5 py-4">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-5 w-3/5" />
        </div>
      ) : null}
      {items?.length === 0 ? (
        <p className="flex items-center gap-2.5 px-5 py-4 text-ink-soft text-sm">
          <CircleCheck className="size-4 shrink-0 text-success" aria-hidden />
          {t('nothing_needs_you_now')}
        </p>
      ) : null}
      {items && items.length > 0 ? (
        <ul aria-label={title} className="divide-y divide-line">
          {items.slice(0, shown).map((item) => (
            <li key={item.key} className="flex flex-wrap items-center hover:bg-muted/60">
              <Link
                href={item.href}
                className="flex min-w-0 basis-full items-start gap-3.5 px-5 py-3 text-sm sm:flex-1"
              >
                <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
                <span className="min-w-0 flex-1">
                  <span className="break-words font-medium">{item.title}</span>
                  <span className="line-clamp-2 break-words text-ink-soft">{item.reason}</span>
                </span>
                <ArrowRight className="mt-0.5 size-4 shrink-0 text-ink-soft" aria-hidden />
              </Link>
              {item.pair ? (
                <span className="flex gap-2 pr-5 pb-3 pl-12 sm:py-2 sm:pl-0">
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label={t('both_are_real_title', { title: item.title })}
                    pending={both_real.isPending && both_real.variables?.id === item.pair.id}
                    onClick={() => item.pair && both_real.mutate(item.pair)}
                  >
                    {t('both_are_real')}
                  </Button>
                  <LinkButton
                    variant="secondary"
                    size="sm"
                    href={item.href}
                    aria-label={t('cancel_one_title', { title: item.title })}
                  >
                    {t('cancel_one')}
                  </LinkButton>
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {items && more && items.length > SHOWN ? (
        <p className="border-t px-5 py-3 text-ink-soft text-sm">
          {t.rich('and_more', {
            count: items.length - SHOWN,
            link: (words) => (
              <Link href={more} className="underline underline-offset-4">
                {words}
              </Link>
            ),
          })}
        </p>
      ) : null}
    </Card>
  );
}
