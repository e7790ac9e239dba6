'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock3, RefreshCw } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { CustomDomainState } from '@/modules/properties/domains/health.rules';
import { Notice } from '../developers/notice';
import { QueryErrorPanel } from '../query-error';
import { useTRPC } from '../trpc';
import type { Property } from '../types';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Skeleton } from '../ui/skeleton';
import { FormErrorMessage, FormFooter } from './form-parts';
import type { PropertyFormField } from './property-values';
import { usePropertyForm } from './use-property-form';

const FORM = 'property-domains';
const FIELDS = ['subdomain', 'custom_domain'] as const satisfies readonly PropertyFormField[];

/** Sets the host name in the links that guests receive. */
export function CustomDomainsTab({ property }: { property: Property }) {
  const t = useTranslations('properties');
  const domains = usePropertyForm(property, FIELDS, t('the_domains_are_saved'));
  const { form, errorOf } = domains;
  return (
    <div className="grid max-w-3xl gap-6">
      <Card>
        <form id={FORM} noValidate onSubmit={domains.submit}>
          <CardHeader title={t('domains')} description={t('guests_trust_a_link_that_bears_your')} />
          <CardBody className="grid gap-5">
            <Field
              label={t('subdomain')}
              optional
              hint={t('3_to_30_lower_case_letters_digits')}
              error={errorOf('subdomain')}
            >
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  placeholder="harbour-loft"
                  {...form.register('subdomain')}
                />
              )}
            </Field>
            <Field
              label={t('custom_domain')}
              optional
              hint={t('a_host_name_of_yours_it_carries')}
              error={errorOf('custom_domain')}
            >
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  placeholder="rules.example.com"
                  {...form.register('custom_domain')}
                />
              )}
            </Field>
            <FormErrorMessage refused={domains.refused} />
          </CardBody>
        </form>
        <FormFooter form={FORM} dirty={domains.dirty} pending={domains.pending} onDiscard={domains.discard} />
      </Card>
      {property.custom_domain ? <DnsCard property={property} domain={property.custom_domain} /> : null}
    </div>
  );
}

function DnsCard({ property, domain }: { property: Property; domain: string }) {
  const t = useTranslations('properties');
  const trpc = useTRPC();
  const records = useQuery(
    trpc.properties.domain.queryOptions({ id: property.id }, { enabled: property.custom_domain !== null }),
  );
  const verify = useMutation(trpc.properties.verify_domain.mutationOptions());
  const verified = property.custom_domain_verified_at;
  const verdict = verify.data?.property.custom_domain === domain ? verify.data.verdict : null;
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex flex-wrap items-center gap-2">
            {t('dns_of_domain', { domain })}
            <DomainBadge verified={verified !== null} state={records.data?.state} />
          </span>
        }
        description={
          records.data?.failing_since
            ? t.rich('domain_failing_since', {
                time: () => <DateTime value={records.data?.failing_since ?? null} zone={property.timezone} />,
              })
            : records.data?.lapsed_at
              ? t.rich('domain_lapsed_at', {
                  time: () => <DateTime value={records.data?.lapsed_at ?? null} zone={property.timezone} />,
                })
              : verified
                ? t.rich('verified_on_keep_the_records_guests_reach', {
                    time: () => <DateTime value={verified} zone={property.timezone} />,
                  })
                : t('add_these_records_where_the_domains_dns')
        }
        actions={
          <Button
            variant={verified ? 'secondary' : 'primary'}
            pending={verify.isPending}
            onClick={() => verify.mutate({ id: property.id })}
          >
            <RefreshCw aria-hidden />
            {verified ? t('check_again') : t('verify_now')}
          </Button>
        }
      />
      {records.data ? (
        <CardBody className="grid gap-5">
          <DnsRecord
            type="CNAME"
            name={records.data.domain}
            value={records.data.cname_target}
            state={verdict?.cname}
            found={verdict?.found.cname}
          />
          <DnsRecord
            type="TXT"
            name={records.data.txt_name}
            value={records.data.txt_value}
            state={verdict?.txt}
            found={verdict?.found.txt}
          />
          <div role="status">
            {verdict && !verdict.verified ? (
              <Notice tone="warning" title={t('not_there_yet')}>
                {t('dns_changes_take_minutes_at_times_hours')}
              </Notice>
            ) : null}
          </div>
        </CardBody>
      ) : records.error ? (
        <QueryErrorPanel title={t('the_records_could_not_be_loaded')} query={records} />
      ) : (
        <CardBody className="grid gap-5" aria-busy>
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </CardBody>
      )}
    </Card>
  );
}

function DomainBadge({ verified, state }: { verified: boolean; state: CustomDomainState | undefined }) {
  const t = useTranslations('properties');
  if (state === 'failing' || state === 'lapsed')
    return (
      <Badge tone="danger" dot>
        {t(`domain_${state}`)}
      </Badge>
    );
  return (
    <Badge tone={verified ? 'success' : 'warning'} dot>
      {verified ? t('verified') : t('waiting_for_dns')}
    </Badge>
  );
}

const STATES = {
  found: { Icon: CircleCheck, tone: 'text-success' },
  different: { Icon: CircleX, tone: 'text-danger' },
  missing: { Icon: Clock3, tone: 'text-warning' },
  unanswered: { Icon: CircleX, tone: 'text-warning' },
};

interface DnsRecordProps {
  type: 'CNAME' | 'TXT';
  name: string;
  value: string;
  state?: keyof typeof STATES;
  found?: string[];
}

function DnsRecord({ type, name, value, state, found = [] }: DnsRecordProps) {
  const t = useTranslations('properties');
  const shown = state ? { ...STATES[state], name: state } : null;
  return (
    <section aria-label={t('type_record', { type })} className="grid gap-2">
      <h3 className="flex flex-wrap items-center gap-x-3 font-medium text-sm">
        {type}
        {shown ? (
          <span className={`inline-flex items-center gap-1 font-normal text-xs ${shown.tone}`}>
            <shown.Icon className="size-3.5" aria-hidden />
            {t(`dns_${shown.name}`)}
            {state === 'different' ? `: ${found.join(', ')}` : null}
          </span>
        ) : null}
      </h3>
      <dl className="grid items-center gap-x-3 gap-y-1.5 text-sm sm:grid-cols-[4rem_minmax(0,1fr)]">
        <dt className="text-ink-soft text-xs">{t('name')}</dt>
        <dd className="min-w-0">
          <CopyField value={name} label={t('type_name', { type })} />
        </dd>
        <dt className="text-ink-soft text-xs">{t('value')}</dt>
        <dd className="min-w-0">
          <CopyField value={value} label={t('type_value', { type })} />
        </dd>
      </dl>
    </section>
  );
}
