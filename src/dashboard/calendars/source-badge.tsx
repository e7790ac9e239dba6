import { useTranslations } from 'use-intl/react';
import { Badge } from '../ui/badge';
import { type Health, healthOf } from './labels';

export function SourceBadge({ source }: { source: Health }) {
  const t = useTranslations('calendar_health');
  const { health, tone } = healthOf(source);
  return (
    <Badge tone={tone} dot>
      {t(`health_${health}`)}
    </Badge>
  );
}
