import { Badge, type Tone } from '../../ui/badge';
import type { ApiKey } from './queries';

const STATE: Record<ApiKey['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  deprecated: { label: 'Rotated, still works', tone: 'warning' },
  expired: { label: 'Rotated, ended', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'neutral' },
};

export const KeyState = ({ state }: { state: ApiKey['state'] }) => (
  <Badge tone={STATE[state].tone} dot>
    {STATE[state].label}
  </Badge>
);
