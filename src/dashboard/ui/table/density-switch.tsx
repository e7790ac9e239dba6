'use client';
import { Rows2, Rows4 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { TABLE_DENSITY_COOKIE } from '@/modules/accounts/session-headers';
import { Button } from '../button';

const YEAR_S = 365 * 86_400;

/**
 * Stores the density in a cookie, which the server reads before rendering, so that the layout does
 * not change after loading.
 */
function keep(compact: boolean): void {
  const { dataset } = document.documentElement;
  if (compact) dataset.density = 'compact';
  else delete dataset.density;
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${TABLE_DENSITY_COOKIE}=${compact ? 'compact' : ''}; Path=/; Max-Age=${compact ? YEAR_S : 0}; SameSite=Lax${secure}`;
}

/** Switches tables to compact rows with one line each. Phones show cards, which do not change. */
export function DensitySwitch() {
  const t = useTranslations('ui');
  const [compact, setCompact] = useState(false);
  useEffect(() => setCompact(document.documentElement.dataset.density === 'compact'), []);
  const Icon = compact ? Rows2 : Rows4;
  return (
    <Button
      variant="ghost"
      size="sm"
      className="max-md:hidden"
      aria-pressed={compact}
      onClick={() => {
        keep(!compact);
        setCompact(!compact);
      }}
    >
      <Icon aria-hidden />
      {t('compact_rows')}
    </Button>
  );
}
