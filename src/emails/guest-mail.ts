/** The common parts of mails to guests: language, salutation, stay. */
import { countNightsBetween, formatDay } from '@/shared/guest-text/format';
import { DEFAULT_LOCALE, GUEST_LANGUAGES, type GuestLocale, parseLocale } from '@/shared/guest-text/locale';
import { type CustomizableMail, type CustomMailTexts, renderCustomMailText } from '@/shared/guest-text/mail-texts';
import { formatSenderLine, type SenderDetails } from '@/shared/guest-text/sender';
import { getGuestTranslator, type TranslateFunction } from '@/shared/guest-text/translate';
import type { EmailBrand } from './layout';

export interface GuestEmailProps {
  /** Any BCP 47 tag. Null when the guest's language is unknown, which means English. */
  locale: string | null;
  guest_name: string | null;
  property_name: string;
  brand_color: string | null;
  logo_url: string | null;
  /** The person or company that offers the stay. */
  sender?: SenderDetails | null;
  property_address?: string | null;
  /** The host's own texts, for all mails and languages. */
  own_texts?: CustomMailTexts | null;
}

/**
 * Returns the language with its tag and translator, the property's branding, the salutation, and
 * the sender's details.
 */
export function buildGuestMailContext(props: GuestEmailProps): {
  locale: GuestLocale;
  lang: string;
  t: TranslateFunction;
  brand: EmailBrand;
  hello: string;
  /** The last line of the footer, if any. */
  sender: string[];
} {
  const locale = parseLocale(props.locale) ?? DEFAULT_LOCALE;
  const t = getGuestTranslator(locale);
  const guest = props.guest_name?.trim();
  return {
    locale,
    lang: GUEST_LANGUAGES[locale].tag,
    t,
    brand: { name: props.property_name, brand_color: props.brand_color, logo_url: props.logo_url },
    sender: [formatSenderLine(props.sender) ?? []].flat(),
    // Some calendars contain “Guest” instead of the guest's name. The salutation then has no name.
    hello: guest && !/^guest\b/i.test(guest) ? t('mail.hello', { guest }) : t('mail.hello_plain'),
  };
}

/** Returns the host's own subject and first paragraph, which replace the standard texts. */
export function getHostCustomizedMailTexts(
  props: GuestEmailProps & { checkin_date: string; checkout_date: string },
  mail: CustomizableMail,
  locale: GuestLocale,
) {
  const { guest_name, property_address } = props;
  const values = { ...props, guest_name: guest_name ?? '', property_address: property_address ?? null };
  return renderCustomMailText(props.own_texts, mail, locale, values);
}

/** Returns the stay as labelled facts. Dates are `YYYY-MM-DD`. */
export function listLabelledStayDetails(
  stay: { checkin_date: string; checkout_date: string },
  locale: GuestLocale,
  t: TranslateFunction,
): { label: string; value: string }[] {
  return [
    { label: t('stay.checkin'), value: formatDay(stay.checkin_date, locale) },
    {
      label: t('stay.checkout'),
      value: `${formatDay(stay.checkout_date, locale)} (${t('stay.nights', { count: countNightsBetween(stay.checkin_date, stay.checkout_date) })})`,
    },
  ];
}
