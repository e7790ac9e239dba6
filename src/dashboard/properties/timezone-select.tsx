'use client';
import { ChevronDown } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { notifyComponentLoadFailure } from '../ui/lazy-component';
import { formatTimeZoneName, TIMEZONE_SELECT_TRIGGER_CLASS_NAMES, type TimezoneSelectProps } from './timezone';

const load = () => import('./timezone-list').then((file) => file.TimezoneList);
const near = () => void load().catch(() => {});

/**
 * A select for time zones with a search field, because there are too many zones for a plain list.
 * Until the user opens it, only a plain button is rendered.
 */
export function TimezoneSelect(props: TimezoneSelectProps) {
  const [List, setList] = useState<ComponentType<TimezoneSelectProps> | null>(null);
  if (List) return <List {...props} />;
  const { value, onChange: _, ...control } = props;
  return (
    <button
      {...control}
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-haspopup="dialog"
      className={TIMEZONE_SELECT_TRIGGER_CLASS_NAMES}
      onPointerEnter={near}
      onFocus={near}
      onClick={() => void load().then((loaded) => setList(() => loaded), notifyComponentLoadFailure)}
    >
      <span className="truncate">{value ? formatTimeZoneName(value) : 'UTC'}</span>
      <ChevronDown className="size-4 shrink-0 text-ink-soft" aria-hidden />
    </button>
  );
}
