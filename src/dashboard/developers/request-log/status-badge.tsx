import { Badge, type BadgeTone } from '../../ui/badge';

function toneOf(status: number): BadgeTone {
  if (status >= 500) return 'danger';
  if (status >= 400) return 'warning';
  return status >= 300 ? 'info' : 'success';
}

export const HttpStatusBadge = ({ status }: { status: number }) => (
  <Badge tone={toneOf(status)} className="tabular-nums">
    {status}
  </Badge>
);
