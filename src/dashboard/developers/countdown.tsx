'use client';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';

interface CountdownProps {
  until: string;
  /** The text shown when the time is over. */
  over: string;
  /** Called once when the time is over. */
  onOver?: () => void;
}

/**
 * A live countdown. It must be rendered only after hydration, because the server's time differs
 * from the browser's.
 */
export function Countdown({ until, over, onOver }: CountdownProps) {
  const t = useTranslations('ui');
  const [now, setNow] = useState(Date.now);
  const left = formatTimeLeft(until, now);
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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Formats the remaining time, rounded down: `23 h 05 min`, `4 min`, `38 s`. Returns null when the
 * time is over.
 */
export function formatTimeLeft(until: string, now: number): string | null {
  const left = Date.parse(until) - now;
  if (!(left > 0)) return null;
  if (left >= HOUR)
    return `${Math.floor(left / HOUR)} h ${String(Math.floor((left % HOUR) / MINUTE)).padStart(2, '0')} min`;
  if (left >= MINUTE) return `${Math.floor(left / MINUTE)} min`;
  return `${Math.max(1, Math.floor(left / 1000))} s`;
}
