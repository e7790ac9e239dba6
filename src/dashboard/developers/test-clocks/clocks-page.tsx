'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AlarmClock, FastForward, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PROPERTIES_INPUT } from '../../initial-queries';
import { paths } from '../../paths';
import { QueryErrorPanel } from '../../query-error';
import { useMe } from '../../shell/me';
import { type ProcedureOutputs, type ProcedureQueryResult, useTRPC } from '../../trpc';
import type { TestClock } from '../../types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { NativeSelect } from '../../ui/form/input';
import { Link } from '../../ui/link';
import { AnchorButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import { AdvanceTestClockDialog, CreateTestClockDialog, DeleteTestClockDialog } from './clock-dialogs';

export function TestClocksPage() {
  const t = useTranslations('test_clocks');
  const { mode } = useMe();
  const trpc = useTRPC();
  const clocks = useQuery(
    trpc.test_clocks.list.queryOptions(
      {},
      {
        enabled: mode === 'test',
        refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'advancing') ? 500 : 15_000),
      },
    ),
  );
  const [creating, setCreating] = useState(false);
  const create = (
    <Button
      disabledReason={mode === 'live' ? t('switch_to_test_mode_first_live_properties') : null}
      onClick={() => setCreating(true)}
    >
      <Plus aria-hidden />
      {t('create_a_clock')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('test_clocks')}
        description={t('see_a_stay_from_the_first_mail')}
        actions={
          <>
            <AnchorButton variant="secondary" href={`${paths.docs}/test-mode#clocks`}>
              {t('how_they_work')}
            </AnchorButton>
            {create}
          </>
        }
      />
      <Clocks clocks={clocks} live={mode === 'live'} create={create} />
      {creating ? <CreateTestClockDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}

interface ClocksProps {
  clocks: ProcedureQueryResult<ProcedureOutputs['test_clocks']['list']>;
  live: boolean;
  create: React.ReactNode;
}

function Clocks({ clocks, live, create }: ClocksProps) {
  const t = useTranslations('test_clocks');
  if (clocks.error && !clocks.data) {
    return (
      <Card>
        <QueryErrorPanel title={t('the_clocks_could_not_be_loaded')} query={clocks} />
      </Card>
    );
  }
  if (!live && !clocks.data) return <Skeleton className="h-40 w-full rounded-xl!" />;
  if (live || clocks.data?.data.length === 0)
    return (
      <Card>
        <EmptyState icon={AlarmClock} title={t(live ? 'in_test_mode_only' : 'no_clocks_yet')} action={create}>
          {t(live ? 'live_properties_go_by_the_real_time' : 'a_test_property_that_goes_by_a')}
        </EmptyState>
      </Card>
    );
  return (
    <div className="grid gap-4">
      {clocks.data?.data.map((clock) => (
        <ClockCard key={clock.id} clock={clock} />
      ))}
    </div>
  );
}

function ClockCard({ clock }: { clock: TestClock }) {
  const t = useTranslations('test_clocks');
  const [open, setOpen] = useState<'advance' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const advancing = clock.status === 'advancing';
  return (
    <Card>
      <CardHeader
        title={clock.name ?? t('test_clock')}
        description={<code className="break-all font-mono text-xs">{clock.id}</code>}
        actions={
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              disabledReason={advancing ? t('it_is_being_advanced') : null}
              onClick={() => setOpen('advance')}
            >
              <FastForward aria-hidden />
              {t('advance')}
            </Button>
            <Button size="sm" variant="secondary" onClick={() => setOpen('delete')}>
              {t('delete')}
            </Button>
          </div>
        }
      />
      <CardBody className="grid gap-4">
        <p aria-live="polite" className="flex flex-wrap items-center gap-3">
          <span className="font-semibold text-lg">
            <DateTime value={clock.frozen_time} zone="UTC" />
          </span>
          {advancing ? (
            <Badge tone="info" dot>
              <span>{t.rich('advancing_to', { time: () => <DateTime value={clock.target_time} zone="UTC" /> })}</span>
            </Badge>
          ) : (
            <Badge>{t('stands_still')}</Badge>
          )}
        </p>
        <BoundProperties clock={clock} />
      </CardBody>
      {open === 'advance' ? <AdvanceTestClockDialog clock={clock} onClose={close} /> : null}
      {open === 'delete' ? <DeleteTestClockDialog clock={clock} onClose={close} /> : null}
    </Card>
  );
}

function BoundProperties({ clock }: { clock: TestClock }) {
  const t = useTranslations('test_clocks');
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const queryClient = useQueryClient();
  // The test clock decides which work is due, so a change can affect the data of every page.
  const bind = useMutation(
    trpc.properties.update.mutationOptions({ onSettled: () => queryClient.invalidateQueries() }),
  );
  const all = properties.data?.data ?? [];
  const free = all.filter(({ test_clock_id }) => test_clock_id === null);
  const nameOf = (id: string) => all.find((property) => property.id === id)?.name ?? id;
  return (
    <div className="grid gap-2">
      <h3 className="font-medium text-sm">{t('properties_that_go_by_it')}</h3>
      {clock.property_ids.length === 0 ? (
        <p className="text-ink-soft text-sm">{t('none_yet_nothing_happens_when_it_is')}</p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {clock.property_ids.map((id) => (
            <li key={id} className="inline-flex items-center gap-1 rounded-md border px-2.5 py-1 text-sm">
              <Link href={paths.property(id)} className="underline-offset-4 hover:underline">
                {nameOf(id)}
              </Link>
              <Button
                size="icon"
                variant="ghost"
                className="size-6!"
                aria-label={t('have_name_go_by_the_real_time', { name: nameOf(id) })}
                onClick={() => bind.mutate({ id, test_clock_id: null })}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {free.length > 0 ? (
        <NativeSelect
          className="max-w-80"
          aria-label={t('add_a_property')}
          value=""
          disabled={bind.isPending}
          onChange={(event) => bind.mutate({ id: event.target.value, test_clock_id: clock.id })}
        >
          <option value="">{t('add_a_property_2')}</option>
          {free.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      ) : null}
    </div>
  );
}
