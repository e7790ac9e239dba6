/** What the search found, as lines of the palette with where each leads. Pure. */

import { paths } from '../../paths';
import type { Outputs } from '../../trpc';

type Found = Outputs['search']['everything'];

export interface ResultLine {
  id: string;
  label: string;
  detail: string;
  href: string;
}
export interface ResultGroup {
  label: string;
  kind: 'reservation' | 'certificate' | 'property' | 'id';
  lines: ResultLine[];
}

const day = (text: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(text));

type Kind = Found['ids'][number]['kind'];
const PAGES: Record<Kind, (row: Found['ids'][number]) => { name: string; href: string }> = {
  reservation: ({ id }) => ({ name: 'Reservation', href: paths.reservation(id) }),
  signature: ({ id }) => ({ name: 'Certificate', href: paths.certificate(id) }),
  property: ({ id }) => ({ name: 'Property', href: paths.property(id) }),
  packet: ({ id, parent_id }) => ({ name: 'Packet', href: paths.packet(parent_id ?? '', id) }),
  event: ({ id }) => ({ name: 'Event', href: paths.event(id) }),
  request: ({ id }) => ({ name: 'Request', href: paths.log(id) }),
  api_key: () => ({ name: 'API key', href: paths.api_keys }),
  webhook_endpoint: ({ id }) => ({ name: 'Webhook endpoint', href: paths.webhook(id) }),
  sync_source: ({ id }) => ({ name: 'Calendar', href: paths.calendar(id) }),
  mail: ({ id }) => ({ name: 'Mail', href: paths.mail(id) }),
};

/** Groups that hold something, in the order in which people look for them. */
export function resultGroups(found: Found | undefined): ResultGroup[] {
  if (!found) return [];
  const near = found.near ? 'Perhaps ' : '';
  const groups: ResultGroup[] = [
    {
      label: near ? `${near}guests` : 'Guests',
      kind: 'reservation',
      lines: found.reservations.map((row) => ({
        id: row.id,
        label: row.guest_name,
        detail: [row.property_name, day(row.checkin_date), row.booking_code].filter(Boolean).join(' · '),
        href: paths.reservation(row.id),
      })),
    },
    {
      label: near ? `${near}certificates` : 'Certificates',
      kind: 'certificate',
      lines: found.certificates.map((row) => ({
        id: row.id,
        label: row.signer_name,
        detail: ['signed', day(row.signed_at), row.property_name].filter(Boolean).join(' · '),
        href: paths.certificate(row.id),
      })),
    },
    {
      label: 'Properties',
      kind: 'property',
      lines: found.properties.map(({ id, name, place }) => ({
        ...{ id, label: name, detail: place ?? '', href: paths.property(id) },
      })),
    },
    {
      label: 'By id',
      kind: 'id',
      lines: found.ids.map((row) => {
        const { name, href } = PAGES[row.kind](row);
        return { id: row.id, label: row.label ?? name, detail: `${name} · ${row.id}`, href };
      }),
    },
  ];
  return groups.filter(({ lines }) => lines.length > 0);
}

/** Whether a command is meant by what was typed: every word begins one of its own. */
export function isMeant(typed: string, label: string, keywords: readonly string[] = []): boolean {
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
