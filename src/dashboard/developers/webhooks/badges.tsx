'use client';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import type { WebhookEndpointDetail } from '../../types';
import { Badge, type BadgeTone } from '../../ui/badge';
import { type DeliveryAttemptOutcome, describeDeliveryAttemptOutcome } from './outcome';

type Health = Pick<WebhookEndpointDetail, 'status' | 'consecutive_failures'>;

function healthOf(
  { status, consecutive_failures }: Health,
  t: NamespaceTranslator<'developers'>,
): { label: string; tone: BadgeTone } {
  if (status === 'auto_disabled') return { label: t('disabled_after_failures'), tone: 'danger' };
  if (status === 'disabled') return { label: t('disabled'), tone: 'neutral' };
  return consecutive_failures > 0
    ? { label: t('failing_in_a_row', { count: consecutive_failures }), tone: 'warning' }
    : { label: t('enabled'), tone: 'success' };
}

export function EndpointBadge({ endpoint }: { endpoint: Health }) {
  const { label, tone } = healthOf(endpoint, useTranslations('developers'));
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}

/** Shows the endpoint's description above its URL, or the URL alone. */
export function WebhookEndpointLabel({
  endpoint: { url, description },
}: {
  endpoint: Pick<WebhookEndpointDetail, 'url' | 'description'>;
}) {
  const address = <span className="block max-w-96 truncate font-mono text-xs">{url}</span>;
  if (!description) return address;
  return (
    <span className="grid min-w-0">
      <span className="block max-w-96 truncate font-medium">{description}</span>
      <span className="text-ink-soft">{address}</span>
    </span>
  );
}

export function DeliveryAttemptBadge({ attempt }: { attempt: DeliveryAttemptOutcome }) {
  const { label, tone } = describeDeliveryAttemptOutcome(attempt, Date.now(), useTranslations('developers'));
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}
