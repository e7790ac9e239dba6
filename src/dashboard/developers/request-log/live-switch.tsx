'use client';
import { Pause, Play } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';

interface LiveSwitchProps {
  live: boolean;
  /** False on later pages, which do not support live updates. */
  possible: boolean;
  onChange: (live: boolean) => void;
}

/** Turns live updates on or off. While they are off, the list does not change. */
export function LiveUpdatesSwitch({ live, possible, onChange }: LiveSwitchProps) {
  const t = useTranslations('request_log');
  const on = live && possible;
  return (
    <div className="flex items-center gap-3">
      <span role="status" className="inline-flex items-center gap-2 text-ink-soft text-sm">
        <span aria-hidden className={cn('size-2 rounded-full', on ? 'animate-pulse bg-success' : 'bg-line-strong')} />
        {on ? t('live') : t('paused')}
      </span>
      <Button
        variant="secondary"
        disabledReason={possible ? null : t('new_requests_appear_on_the_first_page')}
        onClick={() => onChange(!live)}
      >
        {on ? <Pause aria-hidden /> : <Play aria-hidden />}
        {on ? t('pause') : t('follow')}
      </Button>
    </div>
  );
}
