'use client';
import { useTranslations } from 'use-intl/react';
import type { ApiKey } from '../../types';
import { Badge, type BadgeTone } from '../../ui/badge';

const TONE: Record<ApiKey['state'], BadgeTone> = {
  active: 'success',
  deprecated: 'warning',
  expired: 'neutral',
  revoked: 'neutral',
};

export function ApiKeyStateBadge({ state }: { state: ApiKey['state'] }) {
  const t = useTranslations('api_keys');
  return (
    <Badge tone={TONE[state]} dot>
      {t(`state_${state}`)}
    </Badge>
  );
}
