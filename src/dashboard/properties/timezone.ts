/** Returns the displayed name of a zone, without underscores. */
export const formatTimeZoneName = (zone: string) => zone.replaceAll('_', ' ');

/** Classes of the button that opens the list. */
export const TIMEZONE_SELECT_TRIGGER_CLASS_NAMES =
  'inline-flex h-9 w-full items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-3 text-left text-sm shadow-card transition-colors hover:border-ink-soft';

export interface TimezoneSelectProps {
  /** An IANA zone. Empty means UTC. */
  value: string;
  onChange: (zone: string) => void;
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}
