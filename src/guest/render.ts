import type { ReactElement } from 'react';

/**
 * Renders a React element as static HTML. react-dom/server is imported dynamically, because Next
 * forbids a static import in route handlers.
 */
export async function renderElementToHtml(element: ReactElement): Promise<string> {
  const { renderToStaticMarkup } = await import('react-dom/server');
  const html = renderToStaticMarkup(element);
  return html.startsWith('<!DOCTYPE html>') ? html : `<!DOCTYPE html>${html}`;
}
