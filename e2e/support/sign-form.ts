/**
 * Returns the fields that a browser posts to sign a page as the guest. Null when the page has no
 * signing form.
 */
export function buildSignFormFields(html: string, typed_name: string): Record<string, string> | null {
  const displayed_hash = /name="displayed_hash" value="([^"]*)"/.exec(html)?.[1];
  return displayed_hash ? { intent: 'sign', typed_name, consent: 'on', displayed_hash, locale: 'en' } : null;
}
