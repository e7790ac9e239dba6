/** Converts search results to entries of the command palette. Pure. */

import { getDateFormat } from '@/shared/language/formatters';
import type en from '../../i18n/messages/en.json';
import { paths } from '../../paths';
import type { ProcedureOutputs } from '../../trpc';

type Found = ProcedureOutputs['search']['everything'];

export interface SearchResultLine {
  id: string;
  label: string;
  detail: string;
  href: string;
}
export interface SearchResultGroup {
  label: string;
  kind: 'reservation' | 'certificate' | 'property' | 'id';
  lines: SearchResultLine[];
}

type Kind = Found['ids'][number]['kind'];
type ShellWords = (typeof en)['shell'];
type FoundWord = Extract<keyof ShellWords, `found_${string}`>;

const PAGES: Record<Kind, (row: Found['ids'][number]) => { name: FoundWord; href: string }> = {
  reservation: ({ id }) => ({ name: 'found_reservation', href: paths.reservation(id) }),
  signature: ({ id }) => ({ name: 'found_certificate', href: paths.certificate(id) }),
  property: ({ id }) => ({ name: 'found_property', href: paths.property(id) }),
  packet: ({ id, parent_id }) => ({ name: 'found_packet', href: paths.packet(parent_id ?? '', id) }),
  event: ({ id }) => ({ name: 'found_event', href: paths.event(id) }),
  request: ({ id }) => ({ name: 'found_request', href: paths.log(id) }),
  api_key: () => ({ name: 'found_api_key', href: paths.api_keys }),
  webhook_endpoint: ({ id }) => ({ name: 'found_webhook_endpoint', href: paths.webhook(id) }),
  sync_source: ({ id }) => ({ name: 'found_calendar', href: paths.calendar(id) }),
  mail: ({ id }) => ({ name: 'found_mail', href: paths.mail(id) }),
};

/** Returns the groups with results, with the most likely results first. */
export function buildSearchResultGroups(
  found: Found | undefined,
  t: (key: keyof ShellWords) => string,
  formats: string,
): SearchResultGroup[] {
  if (!found) return [];
  const { near } = found;
  const day = (text: string) => getDateFormat(formats, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(text));
  const groups: SearchResultGroup[] = [
    {
      label: t(near ? 'perhaps_guests' : 'guests'),
      kind: 'reservation',
      lines: found.reservations.map((row) => ({
        id: row.id,
        label: row.guest_name,
        detail: [row.property_name, day(row.checkin_date), row.booking_code].filter(Boolean).join(' · '),
        href: paths.reservation(row.id),
      })),
    },
    {
      label: t(near ? 'perhaps_certificates' : 'nav_certificates'),
      kind: 'certificate',
      lines: found.certificates.map((row) => ({
        id: row.id,
        label: row.signer_name,
        detail: [t('signed'), day(row.signed_at), row.property_name].filter(Boolean).join(' · '),
        href: paths.certificate(row.id),
      })),
    },
    {
      label: t('nav_properties'),
      kind: 'property',
      lines: found.properties.map(({ id, name, place }) => ({
        ...{ id, label: name, detail: place ?? '', href: paths.property(id) },
      })),
    },
    {
      label: t('by_id'),
      kind: 'id',
      lines: found.ids.map((row) => {
        const { name: word, href } = PAGES[row.kind](row);
        const name = t(word);
        return { id: row.id, label: row.label ?? name, detail: `${name} · ${row.id}`, href };
      }),
    },
  ];
  return groups.filter(({ lines }) => lines.length > 0);
}

/**
 * Returns whether the typed text matches a command. Every typed word must be the beginning of a
 * word of the command.
 */
export function isCommandMatchingTypedText(typed: string, label: string, keywords: readonly string[] = []): boolean {
  const own = [label, ...keywords]
    .join(' ')
    .toLowerCase()
    .split(/[\s-]+/);
  return typed
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean)
    .every((word) => own.some((each) => each.startsWith(word)));
}
