/** Finds a page's accessibility violations with axe. The library is added to each page once. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const LIBRARY = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns one line per violation, with the elements. Frames are not checked, because a preview's
 * frame runs no scripts and axe would wait for it forever. Other tests check the frame's content.
 */
export async function findAccessibilityViolations(page: Page, only?: axe.RunOptions['runOnly']): Promise<string[]> {
  const present = await page.evaluate(() => 'axe' in window);
  if (!present) await page.evaluate(LIBRARY);
  return page.evaluate(
    async (options) => {
      const { axe: library } = window as unknown as { axe: typeof axe };
      const { violations } = await library.run(document, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    { iframes: false, resultTypes: ['violations' as const], ...(only && { runOnly: only }) },
  );
}
