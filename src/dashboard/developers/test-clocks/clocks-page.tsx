'use client';
import { AlarmClock, FastForward, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../paths';
import { useProperties } from '../../properties/queries';
import { readError } from '../../read-error';
import { useMe } from '../../shell/me';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { ErrorPanel } from '../../ui/error-panel';
import { NativeSelect } from '../../ui/form/input';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import { AdvanceClockDialog, CreateClockDialog, DeleteClockDialog } from './clock-dialogs';
import { type Clock, useBindClock, useClocks } from './queries';

export function ClocksPage() {
  const { mode } = useMe();
  const clocks = useClocks(mode === 'test');
  const [creating, setCreating] = useState(false);
  const create = (
    <Button
      disabledReason={mode === 'live' ? 'Switch to test mode first: live properties go by the real time.' : null}
      onClick={() => setCreating(true)}
    >
      <Plus aria-hidden />
      Create a clock
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Test clocks"
        description="See a stay from the first mail to its end in a minute: advance the time, and what would happen happens."
        actions={
          <>
            <Button asChild variant="secondary">
              <a href={`${paths.docs}/test-mode#clocks`}>How they work</a>
            </Button>
            {create}
          </>
        }
      />
      <Clocks clocks={clocks} live={mode === 'live'} create={create} />
      {creating ? <CreateClockDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}

interface ClocksProps {
  clocks: ReturnType<typeof useClocks>;
  live: boolean;
  create: React.ReactNode;
}

function Clocks({ clocks, live, create }: ClocksProps) {
  if (clocks.error && !clocks.data) {
    const { message, request_id } = readError(clocks.error);
    return (
      <Card>
        <ErrorPanel
          title="The clocks could not be loaded"
          message={message}
          requestId={request_id}
          onRetry={() => void clocks.refetch()}
        />
      </Card>
    );
  }
  if (!live && !clocks.data) return <Skeleton className="h-40 w-full rounded-xl" />;
  if (live || clocks.data?.data.length === 0)
    return (
      <Card>
        <EmptyState icon={AlarmClock} title={live ? 'In test mode only' : 'No clocks yet'} action={create}>
          {live
            ? 'Live properties go by the real time. In test mode a property can go by a clock that you advance.'
            : 'A test property that goes by a clock sends, reminds, expires and releases when you advance it.'}
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

function ClockCard({ clock }: { clock: Clock }) {
  const [open, setOpen] = useState<'advance' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const advancing = clock.status === 'advancing';
  return (
    <Card>
      <CardHeader
        title={clock.name ?? 'Test clock'}
        description={<code className="break-all font-mono text-xs">{clock.id}</code>}
        actions={
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              disabledReason={advancing ? 'It is being advanced.' : null}
              onClick={() => setOpen('advance')}
            >
              <FastForward aria-hidden />
              Advance
            </Button>
            <Button size="sm" variant="secondary" onClick={() => setOpen('delete')}>
              Delete
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
              Advancing to&nbsp;
              <DateTime value={clock.target_time} zone="UTC" />
            </Badge>
          ) : (
            <Badge>Stands still</Badge>
          )}
        </p>
        <BoundProperties clock={clock} />
      </CardBody>
      {open === 'advance' ? <AdvanceClockDialog clock={clock} onClose={close} /> : null}
      {open === 'delete' ? <DeleteClockDialog clock={clock} onClose={close} /> : null}
    </Card>
  );
}

function BoundProperties({ clock }: { clock: Clock }) {
  const properties = useProperties();
  const bind = useBindClock();
  const all = properties.data?.data ?? [];
  const free = all.filter(({ test_clock_id }) => test_clock_id === null);
  const nameOf = (id: string) => all.find((property) => property.id === id)?.name ?? id;
  return (
    <div className="grid gap-2">
      <h3 className="font-medium text-sm">Properties that go by it</h3>
      {clock.property_ids.length === 0 ? (
        <p className="text-ink-soft text-sm">None yet: nothing happens when it is advanced.</p>
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
                className="size-6"
                aria-label={`Have ${nameOf(id)} go by the real time`}
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
          aria-label="Add a property"
          value=""
          disabled={bind.isPending}
          onChange={(event) => bind.mutate({ id: event.target.value, test_clock_id: clock.id })}
        >
          <option value="">Add a property…</option>
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
