'use client';
import { CircleCheck, CircleX, Clock3, RefreshCw } from 'lucide-react';
import { Notice } from '../developers/notice';
import { readError } from '../read-error';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { ErrorPanel } from '../ui/error-panel';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Skeleton } from '../ui/skeleton';
import { FormFooter, Refusal } from './form-parts';
import type { PropertyField } from './property-values';
import { type Property, useDomainRecords, useVerifyDomain } from './queries';
import { usePropertyForm } from './use-property-form';

const FORM = 'property-domains';
const FIELDS = ['subdomain', 'custom_domain'] as const satisfies readonly PropertyField[];

/** Where guests open their links. */
export function DomainsTab({ property }: { property: Property }) {
  const domains = usePropertyForm(property, FIELDS, 'The domains are saved.');
  const { form, errorOf } = domains;
  return (
    <div className="grid max-w-3xl gap-6">
      <Card>
        <form id={FORM} noValidate onSubmit={domains.submit}>
          <CardHeader
            title="Domains"
            description="Guests trust a link that bears your name. Without one, links use the address of this site."
          />
          <CardBody className="grid gap-5">
            <Field
              label="Subdomain"
              optional
              hint="3 to 30 lower-case letters, digits and hyphens. The first to claim one has it."
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
              label="Custom domain"
              optional
              hint="A host name of yours. It carries links once its DNS is verified."
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
            <Refusal refused={domains.refused} />
          </CardBody>
        </form>
        <FormFooter form={FORM} dirty={domains.dirty} pending={domains.pending} onDiscard={domains.discard} />
      </Card>
      {property.custom_domain ? <DnsCard property={property} domain={property.custom_domain} /> : null}
    </div>
  );
}

function DnsCard({ property, domain }: { property: Property; domain: string }) {
  const records = useDomainRecords(property);
  const verify = useVerifyDomain();
  const verified = property.custom_domain_verified_at;
  const verdict = verify.data?.property.custom_domain === domain ? verify.data.verdict : null;
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex flex-wrap items-center gap-2">
            DNS of {domain}
            {verified ? (
              <Badge tone="success" dot>
                Verified
              </Badge>
            ) : (
              <Badge tone="warning" dot>
                Waiting for DNS
              </Badge>
            )}
          </span>
        }
        description={
          verified ? (
            <>
              Verified on <DateTime value={verified} zone={property.timezone} />. Keep the records: guests reach the
              domain through them.
            </>
          ) : (
            'Add these records where the domain’s DNS is managed, then verify. The TXT record proves that the domain is yours; the CNAME brings guests here.'
          )
        }
        actions={
          <Button
            variant={verified ? 'secondary' : 'primary'}
            pending={verify.isPending}
            onClick={() => verify.mutate({ id: property.id })}
          >
            <RefreshCw aria-hidden />
            {verified ? 'Check again' : 'Verify now'}
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
              <Notice tone="warning" title="Not there yet">
                DNS changes take minutes, at times hours, to be seen everywhere. Nothing is lost: links use the other
                address until then.
              </Notice>
            ) : null}
          </div>
        </CardBody>
      ) : records.error ? (
        <ErrorPanel
          title="The records could not be loaded"
          message={readError(records.error).message}
          requestId={readError(records.error).request_id}
          onRetry={() => void records.refetch()}
        />
      ) : (
        <CardBody className="grid gap-5" aria-busy>
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </CardBody>
      )}
    </Card>
  );
}

const STATES = {
  found: { Icon: CircleCheck, tone: 'text-success', text: 'Found' },
  different: { Icon: CircleX, tone: 'text-danger', text: 'Something else is there' },
  missing: { Icon: Clock3, tone: 'text-warning', text: 'Not found' },
  unanswered: { Icon: CircleX, tone: 'text-warning', text: 'The DNS did not answer' },
};

interface DnsRecordProps {
  type: 'CNAME' | 'TXT';
  name: string;
  value: string;
  state?: keyof typeof STATES;
  found?: string[];
}

function DnsRecord({ type, name, value, state, found = [] }: DnsRecordProps) {
  const shown = state ? STATES[state] : null;
  return (
    <section aria-label={`${type} record`} className="grid gap-2">
      <h3 className="flex flex-wrap items-center gap-x-3 font-medium text-sm">
        {type}
        {shown ? (
          <span className={`inline-flex items-center gap-1 font-normal text-xs ${shown.tone}`}>
            <shown.Icon className="size-3.5" aria-hidden />
            {shown.text}
            {state === 'different' ? `: ${found.join(', ')}` : null}
          </span>
        ) : null}
      </h3>
      <dl className="grid items-center gap-x-3 gap-y-1.5 text-sm sm:grid-cols-[4rem_minmax(0,1fr)]">
        <dt className="text-ink-soft text-xs">Name</dt>
        <dd className="min-w-0">
          <CopyField value={name} label={`${type} name`} />
        </dd>
        <dt className="text-ink-soft text-xs">Value</dt>
        <dd className="min-w-0">
          <CopyField value={value} label={`${type} value`} />
        </dd>
      </dl>
    </section>
  );
}
