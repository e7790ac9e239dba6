/**
 * Renders a documentation page as an HTML document: navigation, search, content, outline, links to
 * the previous and next page.
 */
import { escapeHtml } from './markdown';
import type { DocsPage, DocsSite } from './site';

export interface DocsPageAssets {
  readonly css: string;
  readonly js: string;
  /**
   * The URL of the script that sends example requests. Only the reference's pages about operations
   * load it.
   */
  readonly try: string;
  readonly font: string;
}

const MARK = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--primary)"/><path d="M10 24V13.5a6 6 0 0 1 12 0V24" fill="none" stroke="var(--on-primary)" stroke-width="2.2" stroke-linecap="round"/><path d="M13.4 24V14.2c0-1.6 1-2.9 2.6-3.2V24z" fill="var(--on-primary)" opacity=".55"/><path d="M6.5 24h19" stroke="var(--on-primary)" stroke-width="2.2" stroke-linecap="round"/></svg>`;

/**
 * Renders a page. `theme` is the reader's choice: `light`, `dark`, or empty for the system's theme.
 */
export function renderDocsPage(site: DocsSite, page: DocsPage, assets: DocsPageAssets, theme: string): string {
  const at = site.pages.indexOf(page);
  const [before, after] = [site.pages[at - 1], site.pages[at + 1]];
  const outline = page.headings.filter(({ depth }) => depth === 2 || (depth === 3 && page.slug === 'errors'));
  return document(
    {
      title: page.title,
      description: page.description,
      path: page.path,
      assets,
      theme,
      tries: page.slug.startsWith('reference/'),
    },
    `${header()}
<div class="shell">
${navigation(site, page)}
<main id="main">
<article${page.section === 'Reference' ? ' class="reference"' : ''}>
${page.html}</article>
<p class="aside"><a href="${page.path}.md">This page as Markdown</a></p>
<nav class="around" aria-label="Previous and next page">${before ? neighbour('prev', 'Previous', before) : '<span></span>'}${after ? neighbour('next', 'Next', after) : ''}</nav>
</main>
${outline.length > 1 ? `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>${outline.map(({ id, text, depth }) => `<li class="d${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`).join('')}</ul></nav>` : ''}
</div>`,
  );
}

export function renderDocsNotFoundPage(site: DocsSite, assets: DocsPageAssets, theme: string): string {
  return document(
    { title: 'Page not found', description: '', path: '/docs', assets, theme },
    `${header()}
<div class="shell">
${navigation(site, null)}
<main id="main"><article><h1>Page not found</h1><p>There is no page at this address. Search above, or start at the <a href="/docs">overview</a>.</p></article></main>
</div>`,
  );
}

interface Head {
  title: string;
  description: string;
  path: string;
  assets: DocsPageAssets;
  theme: string;
  /** Whether the page has forms that send example requests. */
  tries?: boolean;
}

function document({ title, description, path, assets, theme, tries }: Head, body: string): string {
  return `<!doctype html>
<html lang="en"${theme ? ` class="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Threshold docs</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.css}">
<link rel="alternate" type="text/markdown" href="${path}.md">
<script src="${assets.js}" defer></script>${tries ? `\n<script src="${assets.try}" type="module"></script>` : ''}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${body}
</body>
</html>
`;
}

function header(): string {
  return `<header class="top">
<a class="brand" href="/docs">${MARK}<span>Threshold <b>docs</b></span></a>
<div class="search" role="search" hidden><input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><kbd aria-hidden="true">/</kbd><ul id="found" role="listbox" aria-label="Search results" hidden></ul></div>
<button type="button" class="theme" hidden aria-label="Switch between light and dark"><svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" stroke-width="2"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/></svg></button>
<a class="app" href="/">Dashboard</a>
</header>`;
}

function navigation({ pages }: DocsSite, current: DocsPage | null): string {
  const sections = [...new Set(pages.map(({ section }) => section))].map((section) => {
    const links = pages
      .filter((page) => page.section === section)
      .map(
        ({ path, title, slug }) =>
          `<li${slug.startsWith('reference/') ? ' class="inner"' : ''}><a href="${path}"${path === current?.path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`,
      );
    return `<p>${section}</p><ul>${links.join('')}</ul>`;
  });
  return `<details class="menu"><summary>${current ? `${escapeHtml(current.section)} · ${escapeHtml(current.title)}` : 'All pages'}</summary></details>
<nav class="pages" aria-label="Documentation">${sections.join('')}</nav>`;
}

const neighbour = (rel: string, word: string, { path, title }: DocsPage) =>
  `<a rel="${rel}" class="${rel}" href="${path}"><small>${word}</small>${escapeHtml(title)}</a>`;
