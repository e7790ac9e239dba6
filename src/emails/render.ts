import type { ReactElement } from 'react';
import { plainSubject } from '@/shared/text/plain-name';

export interface RenderedEmail {
  subject: string;
  html: string;
  text: string;
}

/**
 * A mail in its two forms. Nothing in the subject can become a link, but for `host`, which is appended as it is. The text form is made from the HTML, so that both always say the same.
 * react-email is imported with the first mail: it takes a good part of a second, which a start should not wait for.
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
  const about = host ? ` ${headerText(host)}` : '';
  return { subject: plainSubject(headerText(subject)) + about, html, text: text.trim() };
}

/** A host's words in a header: one line, no control characters. */
export function headerText(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
