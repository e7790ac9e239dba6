import { type GuestEmailProps, guestMail, stayFacts } from './guest-mail';
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

/** A day before check-in, unsigned. */
export async function renderReminder24hEmail(props: ReminderEmailProps): Promise<RenderedEmail> {
  return reminder('mail.reminder_24h', props);
}

/** Two hours before check-in, unsigned. */
export async function renderReminder2hEmail(props: ReminderEmailProps): Promise<RenderedEmail> {
  return reminder('mail.reminder_2h', props);
}

async function reminder(
  kind: 'mail.reminder_24h' | 'mail.reminder_2h',
  props: ReminderEmailProps,
): Promise<RenderedEmail> {
  const ui = await import('./layout');
  const { t, locale, lang, brand, hello, sender } = guestMail(props);
  const property = props.property_name;
  return renderEmail(
    t(`${kind}.subject`, { property }),
    <ui.EmailLayout
      lang={lang}
      brand={brand}
      preview={t(`${kind}.preview`)}
      heading={t(`${kind}.heading`)}
      footer={[t('mail.why', { property }), t('mail.personal'), ...sender]}
      testMode={!props.livemode}
    >
      <ui.P>{hello}</ui.P>
      <ui.P>{t(`${kind}.body`, { property })}</ui.P>
      <ui.Facts rows={stayFacts(props, locale, t)} />
      <ui.Action href={props.signing_url} label={t('mail.button')} brand={brand} />
      <ui.Quiet>{t('mail.packet.held')}</ui.Quiet>
      <ui.PlainLink href={props.signing_url} label={t('mail.link')} brand={brand} />
      {props.open_pixel_url ? <ui.OpenPixel src={props.open_pixel_url} /> : null}
    </ui.EmailLayout>,
  );
}
