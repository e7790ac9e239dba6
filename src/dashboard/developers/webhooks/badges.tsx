'use client';
import { Badge, type Tone } from '../../ui/badge';
import { type Outcome, outcomeOf } from './outcome';
import type { Endpoint } from './queries';

type Health = Pick<Endpoint, 'status' | 'consecutive_failures'>;

function healthOf({ status, consecutive_failures }: Health): { label: string; tone: Tone } {
  if (status === 'auto_disabled') return { label: 'Disabled after failures', tone: 'danger' };
  if (status === 'disabled') return { label: 'Disabled', tone: 'neutral' };
  return consecutive_failures > 0
    ? { label: `Failing, ${consecutive_failures} in a row`, tone: 'warning' }
    : { label: 'Enabled', tone: 'success' };
}

export function EndpointBadge({ endpoint }: { endpoint: Health }) {
  const { label, tone } = healthOf(endpoint);
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}

/** What its host calls it, with the address below; the address alone where it was not named. */
export function EndpointName({ endpoint: { url, description } }: { endpoint: Pick<Endpoint, 'url' | 'description'> }) {
  const address = <span className="block max-w-96 truncate font-mono text-xs">{url}</span>;
  if (!description) return address;
  return (
    <span className="grid min-w-0">
      <span className="block max-w-96 truncate font-medium">{description}</span>
      <span className="text-ink-soft">{address}</span>
    </span>
  );
}

export function OutcomeBadge({ attempt }: { attempt: Outcome }) {
  const { label, tone } = outcomeOf(attempt, Date.now());
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}
