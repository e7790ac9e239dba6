/**
 * Describes a User-Agent header, such as `Firefox on Windows`, so that users recognize their
 * devices.
 */
import type { NamespaceTranslator } from '../i18n/namespace-translator';

// The order matters, because most browsers also send the names of older browsers.
const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

export function describeBrowser(
  user_agent: string | null,
  t: NamespaceTranslator<'settings'>,
): { name: string; phone: boolean } {
  const text = user_agent ?? '';
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(text))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  const name =
    browser && system ? t('browser_on_system', { browser, system }) : (browser ?? system ?? t('unknown_device'));
  return { name, phone: /Mobile|iPhone|Android/.test(text) };
}
