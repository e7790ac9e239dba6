/**
 * The text of a notification. It contains only the guest's first name, because locked screens show
 * notifications. Pure.
 */
import { HOST_TEXT_CATALOGS } from '@/shared/host-text/host-texts';
import { HOST_LANGUAGES, type HostLocale } from '@/shared/language/host-language';
import { createTranslator } from '@/shared/language/translator';

export type PushNotificationKind = keyof (typeof HOST_TEXT_CATALOGS)['en']['notice'];

type TitleValues = Readonly<Record<PushNotificationKind, { guest: string }>>;

/** The maximum length of a name in a notification. Longer names are shortened. */
const LONGEST_NAME = 40;

export interface PushNotificationText {
  title: string;
  body: string;
  /** The path of the page that the notification opens. */
  path: string;
}

export function buildPushNotificationText(
  notice: { kind: PushNotificationKind; reservation_id: string; guest_name: string; property_name: string },
  locale: HostLocale,
): PushNotificationText {
  const first = [...(notice.guest_name.trim().split(/\s/, 1)[0] ?? '')].slice(0, LONGEST_NAME).join('');
  const { formats } = HOST_LANGUAGES[locale];
  const title = createTranslator<PushNotificationKind, TitleValues>([HOST_TEXT_CATALOGS[locale].notice], {
    locale,
    formats,
    dir: 'ltr',
  });
  return {
    title: title(notice.kind, { guest: first }),
    body: notice.property_name,
    path: `/reservations/${notice.reservation_id}`,
  };
}
