'use client';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { timeLeft } from './time-left';

interface CountdownProps {
  until: string;
  /** What is said once it is over. */
  over: string;
  /** Called once when it is over. */
  onOver?: () => void;
}

/** A time that runs down before one's eyes. Only for what is rendered after the page has loaded. */
export function Countdown({ until, over, onOver }: CountdownProps) {
  const t = useTranslations('ui');
  const [now, setNow] = useState(Date.now);
  const left = timeLeft(until, now);
  const ended = left === null;
  useEffect(() => {
    if (ended) return onOver?.();
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [ended, onOver]);
  return (
    <time dateTime={until} className="font-medium tabular-nums">
      {left ? t('time_left', { time: left }) : over}
    </time>
  );
}
