'use client';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { useFormattingLocale } from '../i18n/formats';
import { paths } from '../paths';
import { QueryErrorPanel } from '../query-error';
import { useMe } from '../shell/me';
import { type ProcedureOutputs, useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Card, CardBody, CardHeader, DescriptionList } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { Link } from '../ui/link';
import { Skeleton } from '../ui/skeleton';
import { UsageBar } from './usage-bar';

type PlanUsage = ProcedureOutputs['home']['usage'];

/** Shows the plan, its limits, and the usage in each mode. */
export function TeamPlanTab() {
  const t = useTranslations('settings');
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
  return (
    <Card>
      <QueryErrorPanel title={t('the_plan_could_not_be_loaded')} query={usage} />
    </Card>
  );
}

function PlanCard({ usage: { plan, limits, live, test } }: { usage: PlanUsage }) {
  const formats = useFormattingLocale();
  const t = useTranslations('settings');
  const { team } = useMe();
  const pro = plan === 'pro';
  return (
    <Card>
      <CardHeader
        title={t('plan')}
        description={t('the_same_for_live_and_test_mode')}
        actions={<Badge tone={pro ? 'primary' : 'neutral'}>{pro ? t('pro') : t('free')}</Badge>}
      />
      <CardBody className="grid gap-5">
        {pro ? null : (
          <Notice tone="info" title={t('free_one_live_property_and_all_of')}>
            {t('everything_of_this_dashboard_works_for_it')}
          </Notice>
        )}
        <DescriptionList
          items={[
            {
              label: t('properties'),
              value: pro
                ? t('up_to_properties', { properties: live.limits.properties })
                : t('one_live_properties_in_test_mode', { properties: test.limits.properties }),
            },
            {
              label: t('active_packets'),
              value: t('up_to_active_packets_for_each_property', { active_packets: live.limits.active_packets }),
            },
            ...(live.limits.mails_a_day === null
              ? []
              : [
                  {
                    label: t('mails_to_guests'),
                    value: t('up_to_mails_a_day_packets_in', { mails_a_day: live.limits.mails_a_day }),
                  },
                ]),
            { label: t('api_keys'), value: t('up_to_api_keys_in_each_mode', { api_keys: limits.api_keys }) },
            {
              label: t('webhook_endpoints'),
              value: t('up_to_webhook_endpoints_in_each_mode', { webhook_endpoints: limits.webhook_endpoints }),
            },
            {
              label: t('api_calls'),
              value: t('reads_and_writes', {
                reads: limits.reads_per_minute.toLocaleString(formats),
                writes: limits.writes_per_minute.toLocaleString(formats),
              }),
            },
            { label: t('members'), value: t('as_many_as_you_like') },
          ]}
        />
        {pro ? (
          <p className="text-ink-soft text-sm">{t('whoever_runs_this_installation_changes_the_plan')}</p>
        ) : (
          <div className="grid gap-1.5">
            <p className="text-ink-soft text-sm">{t('to_go_on_with_pro_write_to')}</p>
            <CopyField label={t('teams_id')} value={team.id} />
          </div>
        )}
      </CardBody>
    </Card>
  );
}

const MODES = ['live', 'test'] as const;

function UsageCard({ usage }: { usage: PlanUsage }) {
  const t = useTranslations('settings');
  const { limits } = usage;
  const current = useMe().mode;
  return (
    <Card>
      <CardHeader title={t('usage')} description={t('each_mode_counts_by_itself_what_you')} />
      <div className="grid divide-y divide-line md:grid-cols-2 md:divide-x md:divide-y-0">
        {MODES.map((mode) => {
          const used = usage[mode];
          const { fullest_property: fullest } = used;
          return (
            <section key={mode} aria-label={t(`${mode}_mode`)} className="grid content-start gap-4 px-5 py-4">
              <h3 className="font-medium text-sm">{t(`${mode}_mode`)}</h3>
              <UsageBar label={t('properties')} used={used.properties} limit={used.limits.properties} />
              <UsageBar
                label={t('active_packets_of_one_property')}
                used={fullest?.active_packets ?? 0}
                limit={used.limits.active_packets}
                note={
                  fullest
                    ? t.rich('has_the_most', {
                        property: () =>
                          mode === current ? (
                            <Link className="underline underline-offset-4" href={paths.property(fullest.id)}>
                              {fullest.name}
                            </Link>
                          ) : (
                            fullest.name
                          ),
                        active_packets: used.active_packets,
                      })
                    : null
                }
              />
              <UsageBar label={t('api_keys')} used={used.api_keys} limit={limits.api_keys} />
              <UsageBar label={t('webhook_endpoints')} used={used.webhook_endpoints} limit={limits.webhook_endpoints} />
            </section>
          );
        })}
      </div>
    </Card>
  );
}
