import type { ReactElement } from 'react';
import { toSafeMailSubject } from '@/shared/text/plain-name';

export interface RenderedEmail {
  subject: string;
  html: string;
  text: string;
}

/**
 * Renders a mail as HTML and as plain text. Nothing in the subject can become a link, except
 * `host`, which is appended unchanged. The plain text is generated from the HTML. react-email is
 * imported with the first mail, because loading it takes almost a second.
 */
export async function renderEmail(subject: string, element: ReactElement, host?: string): Promise<RenderedEmail> {
  const { plainTextSelectors, render, toPlainText } = await import('@react-email/render');
  const html = await render(element);
  const text = toPlainText(html, {
    wordwrap: false,
    selectors: [
      ...plainTextSelectors,
      ...['h1', 'h2'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: false as const } },
      { selector: '[data-skip-in-text]', format: 'skip' },
    ],
  });
  const about = host ? ` ${toSingleLineMailHeader(host)}` : '';
  return { subject: toSafeMailSubject(toSingleLineMailHeader(subject)) + about, html, text: text.trim() };
}

/** Converts a host's text to one line without control characters, for use in a header. */
export function toSingleLineMailHeader(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
