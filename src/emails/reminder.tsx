import { toSafeSenderName } from '@/shared/text/plain-name';
import {
  buildGuestMailContext,
  type GuestEmailProps,
  getHostCustomizedMailTexts,
  listLabelledStayDetails,
} from './guest-mail';
import { type RenderedEmail, renderEmail } from './render';

export interface ReminderEmailProps extends GuestEmailProps {
  /** `YYYY-MM-DD` */
  checkin_date: string;
  /** `YYYY-MM-DD` */
  checkout_date: string;
  signing_url: string;
  open_pixel_url: string | null;
  livemode: boolean;
}

/** Renders the mail to a guest who has not signed, a day before check-in. */
export async function renderReminder24hBeforeCheckinEmail(props: ReminderEmailProps): Promise<RenderedEmail> {
  return reminder('reminder_24h', props);
}

/** Renders the mail to a guest who has not signed, two hours before check-in. */
export async function renderReminder2hBeforeCheckinEmail(props: ReminderEmailProps): Promise<RenderedEmail> {
  return reminder('reminder_2h', props);
}

async function reminder(mail: 'reminder_24h' | 'reminder_2h', props: ReminderEmailProps): Promise<RenderedEmail> {
  const kind = `mail.${mail}` as const;
  const ui = await import('./layout');
  const { t, locale, lang, brand, hello, sender } = buildGuestMailContext(props);
  const property = props.property_name;
  const own = getHostCustomizedMailTexts(props, mail, locale);
  const intro = own.intro ?? [t(`${kind}.body`, { property })];
  return renderEmail(
    own.subject ?? t(`${kind}.subject`, { property: toSafeSenderName(property, brand.name) }),
    <ui.EmailLayout
      lang={lang}
      brand={brand}
      preview={t(`${kind}.preview`)}
      heading={t(`${kind}.heading`)}
      footer={[t('mail.why', { property }), t('mail.personal'), ...sender]}
      testMode={!props.livemode}
    >
      <ui.EmailParagraph>{hello}</ui.EmailParagraph>
      {intro.map((paragraph) => (
        <ui.EmailParagraph key={paragraph}>{paragraph}</ui.EmailParagraph>
      ))}
      <ui.EmailLabelValueTable rows={listLabelledStayDetails(props, locale, t)} />
      <ui.EmailActionButton href={props.signing_url} label={t('mail.button')} brand={brand} />
      <ui.EmailFinePrint>{t('mail.packet.held')}</ui.EmailFinePrint>
      <ui.EmailPlainLink href={props.signing_url} label={t('mail.link')} brand={brand} />
      {props.open_pixel_url ? <ui.EmailOpenTrackingPixel src={props.open_pixel_url} /> : null}
    </ui.EmailLayout>,
  );
}
