/** What a notification says. It lies on a locked screen: nothing of the guest but the first name, and the property. Pure. */
import type { HostLocale } from '@/shared/language/host-language';

export type NoticeKind = 'question' | 'declined';

const TITLES: Record<HostLocale, Record<NoticeKind, (guest: string) => string>> = {
  en: { question: (guest) => `${guest} has a question`, declined: (guest) => `${guest} does not agree` },
  de: { question: (guest) => `${guest} hat eine Frage`, declined: (guest) => `${guest} ist nicht einverstanden` },
  fr: { question: (guest) => `${guest} a une question`, declined: (guest) => `${guest} n’est pas d’accord` },
  es: { question: (guest) => `${guest} tiene una pregunta`, declined: (guest) => `${guest} no está de acuerdo` },
  it: { question: (guest) => `${guest} ha una domanda`, declined: (guest) => `${guest} non è d’accordo` },
  pt: { question: (guest) => `${guest} tem uma pergunta`, declined: (guest) => `${guest} não concorda` },
  nl: { question: (guest) => `${guest} heeft een vraag`, declined: (guest) => `${guest} gaat niet akkoord` },
};

/** A name may be as long as its booking's. */
const LONGEST_NAME = 40;

export interface NoticeText {
  title: string;
  body: string;
  /** The page that it opens. */
  path: string;
}

export function noticeText(
  notice: { kind: NoticeKind; reservation_id: string; guest_name: string; property_name: string },
  locale: HostLocale,
): NoticeText {
  const first = [...(notice.guest_name.trim().split(/\s/, 1)[0] ?? '')].slice(0, LONGEST_NAME).join('');
  return {
    title: TITLES[locale][notice.kind](first),
    body: notice.property_name,
    path: `/reservations/${notice.reservation_id}`,
  };
}
