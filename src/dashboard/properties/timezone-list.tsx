'use client';
import { Command } from 'cmdk';
import { Check, ChevronDown, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { cn } from '../ui/cn';
import { formatTimeZoneName, TIMEZONE_SELECT_TRIGGER_CLASS_NAMES, type TimezoneSelectProps } from './timezone';

/** Returns the zone's current offset including daylight saving time, such as `GMT+1`. */
function offsetOf(zone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(
    new Date(),
  );
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/**
 * The open list of time zones with its search field. It is rendered only after the user has opened
 * it, so it starts open.
 */
export function TimezoneList({ value, onChange, ...control }: TimezoneSelectProps) {
  const t = useTranslations('properties');
  const [open, setOpen] = useState(true);
  const zones = useMemo(() => (open ? Intl.supportedValuesOf('timeZone') : []), [open]);
  const choose = (zone: string) => {
    onChange(zone);
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        {...control}
        type="button"
        role="combobox"
        aria-expanded={open}
        className={TIMEZONE_SELECT_TRIGGER_CLASS_NAMES}
      >
        <span className="truncate">{value ? formatTimeZoneName(value) : 'UTC'}</span>
        <ChevronDown className="size-4 shrink-0 text-ink-soft" aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label={t('time_zones')}
          className="z-50 w-[min(24rem,calc(100vw-2rem))] animate-enter overflow-hidden rounded-lg border bg-raised shadow-overlay"
        >
          <Command label={t('time_zone')}>
            <div className="flex items-center gap-2 border-b px-3">
              <Search className="size-4 text-ink-soft" aria-hidden />
              <Command.Input
                placeholder={t('search_by_city_or_region')}
                className="h-10 w-full bg-transparent text-sm outline-none"
              />
            </div>
            <Command.List className="max-h-64 overflow-y-auto p-1">
              <Command.Empty className="px-3 py-6 text-center text-ink-soft text-sm">
                {t('no_zone_is_called_so')}
              </Command.Empty>
              <Zone zone="" chosen={value === ''} onChoose={choose} />
              {zones.map((zone) => (
                <Zone key={zone} zone={zone} chosen={zone === value} onChoose={choose} />
              ))}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Zone({ zone, chosen, onChoose }: { zone: string; chosen: boolean; onChoose: (zone: string) => void }) {
  const label = zone ? formatTimeZoneName(zone) : 'UTC';
  return (
    <Command.Item
      value={label}
      onSelect={() => onChoose(zone)}
      className="flex cursor-default select-none items-center justify-between gap-3 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-muted"
    >
      <span className="flex items-center gap-2">
        <Check className={cn('size-4 text-primary', !chosen && 'invisible')} aria-hidden />
        {label}
      </span>
      {zone ? <Offset zone={zone} /> : null}
    </Command.Item>
  );
}

const offsets = new Map<string, string>();

function Offset({ zone }: { zone: string }) {
  let text = offsets.get(zone);
  if (text === undefined) {
    text = offsetOf(zone);
    offsets.set(zone, text);
  }
  return <span className="text-ink-soft text-xs tabular-nums">{text}</span>;
}
