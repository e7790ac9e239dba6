import { Badge } from '../ui/badge';
import { type Health, healthOf } from './labels';

export function SourceBadge({ source }: { source: Health }) {
  const { label, tone } = healthOf(source);
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}
