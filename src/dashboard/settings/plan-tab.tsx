'use client';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { readError } from '../read-error';
import { useMe } from '../shell/me';
import { type Outputs, useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Card, CardBody, CardHeader, Facts } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { ErrorPanel } from '../ui/error-panel';
import { Link } from '../ui/link';
import { Skeleton } from '../ui/skeleton';
import { UsageBar } from './usage-bar';

type PlanUsage = Outputs['home']['usage'];

/** The plan, what it allows, and how much of that each mode uses. */
export function PlanTab() {
  const usage = useQuery(useTRPC().home.usage.queryOptions());
  if (usage.data) {
    return (
      <div className="grid gap-6">
        <PlanCard usage={usage.data} />
        <UsageCard usage={usage.data} />
      </div>
    );
  }
  if (!usage.error) {
    return (
      <Card className="grid gap-4 p-5" aria-busy>
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-40" />
      </Card>
    );
  }
  const { message, request_id } = readError(usage.error);
  return (
    <Card>
      <ErrorPanel
        title="The plan could not be loaded"
        message={message}
        requestId={request_id}
        onRetry={() => void usage.refetch()}
      />
    </Card>
  );
}

const count = (value: number) => value.toLocaleString('en');

function PlanCard({ usage: { plan, limits, live, test } }: { usage: PlanUsage }) {
  const { team } = useMe();
  const pro = plan === 'pro';
  return (
    <Card>
      <CardHeader
        title="Plan"
        description="The same for live and test mode."
        actions={<Badge tone={pro ? 'primary' : 'neutral'}>{pro ? 'Pro' : 'Free'}</Badge>}
      />
      <CardBody className="grid gap-5">
        {pro ? null : (
          <Notice tone="info" title="Free: one live property, and all of test mode">
            Everything of this dashboard works for it: reservations, calendars, signing, certificates. More properties,
            and the REST API for your software, come with Pro.
          </Notice>
        )}
        <Facts
          items={[
            {
              label: 'Properties',
              value: pro ? `Up to ${live.limits.properties}` : `One live, ${test.limits.properties} in test mode`,
            },
            { label: 'Active packets', value: `Up to ${live.limits.active_packets} for each property` },
            ...(live.limits.mails_a_day === null
              ? []
              : [{ label: 'Mails to guests', value: `Up to ${live.limits.mails_a_day} packets in 24 hours` }]),
            { label: 'API keys', value: `Up to ${limits.api_keys} in each mode` },
            { label: 'Webhook endpoints', value: `Up to ${limits.webhook_endpoints} in each mode` },
            {
              label: 'API calls',
              value: `${count(limits.reads_per_minute)} reads and ${count(limits.writes_per_minute)} writes a minute`,
            },
            { label: 'Members', value: 'As many as you like' },
          ]}
        />
        {pro ? (
          <p className="text-ink-soft text-sm">
            Whoever runs this installation changes the plan, and can raise the limits of properties and packets.
          </p>
        ) : (
          <div className="grid gap-1.5">
            <p className="text-ink-soft text-sm">
              To go on with Pro, write to whoever runs this installation, and name your team by its id:
            </p>
            <CopyField label="team’s id" value={team.id} />
          </div>
        )}
      </CardBody>
    </Card>
  );
}

const MODES = [
  { mode: 'live', label: 'Live' },
  { mode: 'test', label: 'Test' },
] as const;

function UsageCard({ usage }: { usage: PlanUsage }) {
  const { limits } = usage;
  const current = useMe().mode;
  return (
    <Card>
      <CardHeader
        title="Usage"
        description="Each mode counts by itself: what you try in test mode uses up nothing live."
      />
      <div className="grid divide-y divide-line md:grid-cols-2 md:divide-x md:divide-y-0">
        {MODES.map(({ mode, label }) => {
          const used = usage[mode];
          const { fullest_property: fullest } = used;
          return (
            <section key={mode} aria-label={`${label} mode`} className="grid content-start gap-4 px-5 py-4">
              <h3 className="font-medium text-sm">{label} mode</h3>
              <UsageBar label="Properties" used={used.properties} limit={used.limits.properties} />
              <UsageBar
                label="Active packets of one property"
                used={fullest?.active_packets ?? 0}
                limit={used.limits.active_packets}
                note={
                  fullest ? (
                    <>
                      {mode === current ? (
                        <Link className="underline underline-offset-4" href={paths.property(fullest.id)}>
                          {fullest.name}
                        </Link>
                      ) : (
                        fullest.name
                      )}{' '}
                      has the most; {used.active_packets} in all
                    </>
                  ) : null
                }
              />
              <UsageBar label="API keys" used={used.api_keys} limit={limits.api_keys} />
              <UsageBar label="Webhook endpoints" used={used.webhook_endpoints} limit={limits.webhook_endpoints} />
            </section>
          );
        })}
      </div>
    </Card>
  );
}
