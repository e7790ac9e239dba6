/**
 * Tests that controls are at least 24 pixels wide and tall (WCAG 2.5.8), on a phone and on a
 * laptop.
 */
import { expect, type Page, test } from '@playwright/test';
import { makeCertificate } from '../certificate';
import { createTeamWithOwner, expectPageLoaded, makeProperty, setLiveOrTestMode, signIn } from '../support';

/**
 * Finds controls that a press 11 pixels from their center does not hit. Links within a sentence are
 * exempt.
 */
const missed = (page: Page) =>
  page.evaluate(() => {
    const REACH = 11;
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, textarea, [role="combobox"]')];
    const found: string[] = [];
    for (const control of controls) {
      const { display, visibility } = getComputedStyle(control);
      const text = control.textContent?.trim() ?? '';
      const around = control.closest('p, li, dd')?.textContent?.trim() ?? '';
      if (display === 'inline' && around.length > text.length) continue;
      control.scrollIntoView({ block: 'center', inline: 'nearest' });
      const { left, top, width, height } = control.getBoundingClientRect();
      // Elements for screen readers only are ignored.
      if (visibility === 'hidden' || width < 2 || height < 2) continue;
      const [x, y] = [left + width / 2, top + height / 2];
      const hits = (dx: number, dy: number) => {
        const hit = document.elementFromPoint(x + dx, y + dy);
        const label = hit?.closest('label');
        return hit !== null && (control.contains(hit) || label?.control === control);
      };
      const reached = hits(REACH, 0) && hits(-REACH, 0) && hits(0, REACH) && hits(0, -REACH);
      if (!reached) found.push(`${control.tagName} ${control.getAttribute('aria-label') ?? text} ${width}×${height}`);
    }
    return found;
  });

const LISTS = ['/reservations', '/properties', '/certificates', '/calendars', '/outbox', '/settings/members'];

test('controls in lists have a touch target of at least 24 pixels', async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  await makeProperty(page, 'test', 'Casa Azul');
  await makeCertificate(page, 'Grace Hopper');
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(viewport);
    for (const path of LISTS) {
      await page.goto(path);
      await expectPageLoaded(page);
      expect(await missed(page), `${path} at ${viewport.width}`).toEqual([]);
    }
  }
});
