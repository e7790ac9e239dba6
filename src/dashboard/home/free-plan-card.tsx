'use client';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { Link } from '../ui/link';

/** Shows the limits of the Free plan before a team reaches them. */
export function FreePlanCard() {
  const t = useTranslations('home');
  return (
    <Notice tone="info" title={t('you_are_on_free_one_live_property')}>
      {t('everything_here_works_for_it_more_properties')}{' '}
      <Link href={paths.settings_section('plan')} className="underline underline-offset-4">
        {t('see_your_plan')}
      </Link>
    </Notice>
  );
}
