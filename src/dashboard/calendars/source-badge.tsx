import { useTranslations } from 'use-intl/react';
import { Badge } from '../ui/badge';
import { getSyncSourceHealthBadge, type SyncSourceHealth } from './labels';

export function SyncSourceHealthBadge({ source }: { source: SyncSourceHealth }) {
  const t = useTranslations('calendar_health');
  const { health, tone } = getSyncSourceHealthBadge(source);
  return (
    <Badge tone={tone} dot>
      {t(`health_${health}`)}
    </Badge>
  );
}
