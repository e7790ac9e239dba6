import { toSafeSenderName } from '@/shared/text/plain-name';
import { buildGuestMailContext, type GuestEmailProps, listLabelledStayDetails } from '../guest-mail';
import { type RenderedEmail, renderEmail } from '../render';

export interface SignedCopyEmailProps extends GuestEmailProps {
  /** `YYYY-MM-DD` */
  checkin_date: string;
  /** `YYYY-MM-DD` */
  checkout_date: string;
  copy_url: string;
  /** Whether the sealed PDF is attached. */
  attached: boolean;
  livemode: boolean;
}

/**
 * Renders the mail with the guest's own copy of the signed content. The consent text promises this
 * mail.
 */
export async function renderSignedCopyEmail(props: SignedCopyEmailProps): Promise<RenderedEmail> {
  const ui = await import('../layout');
  const { t, locale, lang, brand, hello, sender } = buildGuestMailContext(props);
  const property = props.property_name;
  return renderEmail(
    t('copy.page_title', { property: toSafeSenderName(property, brand.name) }),
    <ui.EmailLayout
      lang={lang}
      brand={brand}
      preview={t('copy.lead')}
      heading={t('copy.heading')}
      footer={[t('mail.why', { property }), t('mail.personal'), ...sender]}
      testMode={!props.livemode}
    >
      <ui.EmailParagraph>{hello}</ui.EmailParagraph>
      <ui.EmailParagraph>{t('mail.copy.body', { property })}</ui.EmailParagraph>
      {props.attached ? <ui.EmailParagraph>{t('mail.copy.attached')}</ui.EmailParagraph> : null}
      <ui.EmailLabelValueTable rows={listLabelledStayDetails(props, locale, t)} />
      <ui.EmailActionButton href={props.copy_url} label={t('done.copy_open')} brand={brand} />
      <ui.EmailPlainLink href={props.copy_url} label={t('mail.link')} brand={brand} />
    </ui.EmailLayout>,
  );
}
