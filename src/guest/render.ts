import type { ReactElement } from 'react';

/**
 * A React element as static HTML. react-dom/server is imported when needed: a Next route handler may not import it
 * statically, and these pages are ours from the first byte to the last, without a client runtime.
 */
export async function renderToHtml(element: ReactElement): Promise<string> {
  const { renderToStaticMarkup } = await import('react-dom/server');
  const html = renderToStaticMarkup(element);
  return html.startsWith('<!DOCTYPE html>') ? html : `<!DOCTYPE html>${html}`;
}
