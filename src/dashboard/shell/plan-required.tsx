'use client';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Link } from '../ui/link';
import { useMe } from './me';
import { switchMode } from './preferences';

/** What the team's plan does not have, and how to go on. */
export function PlanRequired({ message }: { message: string }) {
  const t = useTranslations('shell');
  const { mode } = useMe();
  return (
    <Notice
      tone="info"
      title={message}
      actions={
        <>
          <Button asChild size="sm" variant="secondary">
            <Link href={paths.settings_section('plan')}>{t('see_your_plan')}</Link>
          </Button>
          {mode === 'live' ? (
            <Button size="sm" variant="secondary" onClick={() => switchMode('test')}>
              {t('go_on_in_test_mode')}
            </Button>
          ) : null}
        </>
      }
    >
      {t('test_mode_has_everything_of_pro_and')}
    </Notice>
  );
}
