import { fillShortCodes } from '@/shared/guest-text/short-codes';
import { toSafeSenderName } from '@/shared/text/plain-name';
import {
  buildGuestMailContext,
  type GuestEmailProps,
  getHostCustomizedMailTexts,
  listLabelledStayDetails,
} from './guest-mail';
import { type RenderedEmail, renderEmail } from './render';

export interface PacketEmailProps extends GuestEmailProps {
  /** `YYYY-MM-DD` */
  checkin_date: string;
  /** `YYYY-MM-DD` */
  checkout_date: string;
  /** The packet's own text. Its short codes are replaced when the mail is rendered. */
  welcome_message: string | null;
  signing_url: string;
  /** The URL of the open-tracking pixel. Null when opening is not tracked. */
  open_pixel_url: string | null;
  livemode: boolean;
}

/** Renders the mail with the guest's link to read and sign. */
export async function renderPacketEmail(props: PacketEmailProps): Promise<RenderedEmail> {
  const ui = await import('./layout');
  const { t, locale, lang, brand, hello, sender } = buildGuestMailContext(props);
  const property = props.property_name;
  const own = getHostCustomizedMailTexts(props, 'packet', locale);
  const intro = own.intro ?? [t('mail.packet.body', { property })];
  const welcome = props.welcome_message?.trim()
    ? fillShortCodes(
        props.welcome_message,
        { ...props, guest_name: props.guest_name ?? '', property_address: props.property_address ?? null },
        locale,
      )
    : null;
  return renderEmail(
    own.subject ?? t('mail.packet.subject', { property: toSafeSenderName(property, brand.name) }),
    <ui.EmailLayout
      lang={lang}
      brand={brand}
      preview={t('mail.packet.preview')}
      heading={t('mail.packet.heading')}
      footer={[t('mail.why', { property }), t('mail.personal'), ...sender]}
      testMode={!props.livemode}
    >
      <ui.EmailParagraph>{hello}</ui.EmailParagraph>
      {intro.map((paragraph) => (
        <ui.EmailParagraph key={paragraph}>{paragraph}</ui.EmailParagraph>
      ))}
      <ui.EmailLabelValueTable rows={listLabelledStayDetails(props, locale, t)} />
      {welcome ? <ui.EmailHostTextBlock title={t('welcome.title')} text={welcome} lang={lang} /> : null}
      <ui.EmailActionButton href={props.signing_url} label={t('mail.button')} brand={brand} />
      <ui.EmailFinePrint>{t('mail.packet.statement', { statement: t('consent.statement') })}</ui.EmailFinePrint>
      <ui.EmailFinePrint>{t('mail.packet.held')}</ui.EmailFinePrint>
      <ui.EmailPlainLink href={props.signing_url} label={t('mail.link')} brand={brand} />
      {props.open_pixel_url ? <ui.EmailOpenTrackingPixel src={props.open_pixel_url} /> : null}
    </ui.EmailLayout>,
  );
}
