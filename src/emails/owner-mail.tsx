import { getDateFormat } from '@/shared/language/formatters';
import { type RenderedEmail, renderEmail } from './render';

/**
 * A mail from Threshold to hosts and their team, in English. It describes what happened, lists
 * facts and offers one action.
 */
export interface OwnerMailContent {
  subject: string;
  /**
   * The host of an endpoint, which is appended to the subject. Only owners, who entered the
   * endpoint, receive such mails.
   */
  subject_host?: string;
  /** The text that mail clients show next to the subject in a list of mails. */
  preview: string;
  heading: string;
  paragraphs: string[];
  /** Text that another person wrote, with its line breaks. */
  quote?: { title: string; text: string };
  facts?: { label: string; value: string | null }[];
  action: { label: string; href: string };
  /** Small text after the button. */
  notes?: string[];
  /** The reason why the recipient gets the mail. */
  why: string;
}

/** Renders an owner's mail. Omits facts without a value. */
export async function renderOwnerMail(mail: OwnerMailContent): Promise<RenderedEmail> {
  const ui = await import('./layout');
  const facts = (mail.facts ?? []).flatMap(({ label, value }) => (value ? [{ label, value }] : []));
  return renderEmail(
    mail.subject,
    <ui.EmailLayout
      lang="en"
      brand={ui.PRODUCT_BRAND}
      preview={mail.preview}
      heading={mail.heading}
      footer={[mail.why]}
    >
      {mail.paragraphs.map((text) => (
        <ui.EmailParagraph key={text}>{text}</ui.EmailParagraph>
      ))}
      {mail.quote ? <ui.EmailHostTextBlock {...mail.quote} /> : null}
      {facts.length > 0 ? <ui.EmailLabelValueTable rows={facts} /> : null}
      <ui.EmailActionButton href={mail.action.href} label={mail.action.label} brand={ui.PRODUCT_BRAND} />
      {(mail.notes ?? []).map((text) => (
        <ui.EmailFinePrint key={text}>{text}</ui.EmailFinePrint>
      ))}
      <ui.EmailPlainLink
        href={mail.action.href}
        label="If the button does not work, copy this address into your browser:"
        brand={ui.PRODUCT_BRAND}
      />
    </ui.EmailLayout>,
    mail.subject_host,
  );
}

/**
 * Formats a time for an owner's mail, in a property's zone or UTC: `July 3, 2026 at 2:05 PM UTC`.
 */
export function formatTimeForOwnerMail(at: Date, timezone: string | null = null): string {
  return getDateFormat('en', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timezone ?? 'UTC',
    timeZoneName: 'short',
  }).format(at);
}
