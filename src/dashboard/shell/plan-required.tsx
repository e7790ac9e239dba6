'use client';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { LinkButton } from '../ui/link-button';
import { useMe } from './me';
import { switchLiveOrTestMode } from './preferences';

/** Explains that the plan does not include the page, and how to upgrade. */
export function PlanUpgradeNotice({ message }: { message: string }) {
  const t = useTranslations('shell');
  const { mode } = useMe();
  return (
    <Notice
      tone="info"
      title={message}
      actions={
        <>
          <LinkButton size="sm" variant="secondary" href={paths.settings_section('plan')}>
            {t('see_your_plan')}
          </LinkButton>
          {mode === 'live' ? (
            <Button size="sm" variant="secondary" onClick={() => switchLiveOrTestMode('test')}>
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
