import { useTranslations } from 'use-intl/react';
import { Badge } from '../ui/badge';
import { getHealthBadge, type SourceHealth } from './labels';

export function SourceBadge({ source }: { source: SourceHealth }) {
  const t = useTranslations('calendar_health');
  const { health, tone } = getHealthBadge(source);
  return (
    <Badge tone={tone} dot>
      {t(`health_${health}`)}
    </Badge>
  );
}
