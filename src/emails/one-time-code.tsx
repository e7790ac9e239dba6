import { toSafeSenderName } from '@/shared/text/plain-name';
import { buildGuestMailContext, type GuestEmailProps } from './guest-mail';
import { type RenderedEmail, renderEmail } from './render';

export interface OneTimeCodeEmailProps extends GuestEmailProps {
  code: string;
  expires_in_minutes: number;
}

/**
 * Renders the mail with the code that confirms a guest's address. The subject contains the code, so
 * that guests can read it in a notification.
 */
export async function renderOneTimeCodeEmail(props: OneTimeCodeEmailProps): Promise<RenderedEmail> {
  const ui = await import('./layout');
  const { t, lang, brand, hello, sender } = buildGuestMailContext(props);
  const property = props.property_name;
  return renderEmail(
    t('mail.code.subject', { code: props.code, property: toSafeSenderName(property, brand.name) }),
    <ui.EmailLayout
      lang={lang}
      brand={brand}
      preview={t('mail.code.preview')}
      heading={t('mail.code.heading')}
      footer={[t('mail.code.ignore'), ...sender]}
    >
      <ui.EmailParagraph>{hello}</ui.EmailParagraph>
      <ui.EmailParagraph>{t('mail.code.body')}</ui.EmailParagraph>
      <ui.EmailOneTimeCode value={props.code} />
      <ui.EmailFinePrint>{t('mail.code.expires', { minutes: props.expires_in_minutes })}</ui.EmailFinePrint>
    </ui.EmailLayout>,
  );
}
