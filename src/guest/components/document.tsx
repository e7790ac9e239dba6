import type { ReactNode } from 'react';
import type { PropertyBrandView } from '@/modules/signing/packet-view';
import { getSafeLogoUrl, renderBrandCss } from '@/shared/colour/brand';
import { GUEST_LANGUAGES, GUEST_LOCALES } from '@/shared/guest-text/locale';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import { getGuestPageAssetUrlPaths } from '../asset-files';
import type { BasePageModel } from '../view-models';
import { Icon } from './icons';

/** Returns the path with the parameter `lang`. All other parameters stay unchanged. */
export function addLanguageToPath(path: string, locale: string): string {
  const url = new URL(path, 'http://guest.invalid');
  url.searchParams.set('lang', locale);
  return url.pathname + url.search;
}

interface DocumentProps {
  model: BasePageModel;
  brand: PropertyBrandView | null;
  title: string;
  t: TranslateFunction;
  /** Whether the page reports once that a person saw it (design "Reservation status"). */
  beacon?: boolean;
  /** Whether the page shows that the guest has signed. */
  signed?: boolean;
  /** Whether the page belongs to one guest. The verification page does not. */
  personal?: boolean;
  children: ReactNode;
}

/** Renders the whole HTML document of a page: landmarks, skip link, branding, language switch. */
export function GuestPageHtmlDocument({
  model,
  brand,
  title,
  t,
  beacon = false,
  signed = false,
  personal = true,
  children,
}: DocumentProps) {
  const assets = getGuestPageAssetUrlPaths();
  const language = GUEST_LANGUAGES[model.locale];
  return (
    <html lang={language.tag} dir={language.dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="same-origin" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f6f4f0" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#141312" media="(prefers-color-scheme: dark)" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assets.css} />
        <style>{renderBrandCss(brand?.brand_color)}</style>
        <script src={assets.js} defer />
      </head>
      <body data-beacon={beacon ? '' : undefined} data-signed={signed ? '' : undefined}>
        <a className="skip" href="#content">
          {t('a11y.skip')}
        </a>
        <header className="top">
          <div className="top-inner">
            <Brand brand={brand} />
            <LanguageSwitch model={model} t={t} />
            {/* Shown only when the page is embedded in another site (assets/embed.ts). */}
            <button className="close" type="button" data-close aria-label={t('embed.close')} hidden>
              <Icon name="cross" />
            </button>
          </div>
        </header>
        {model.test_mode ? (
          <p className="test-mode" role="note">
            {t('test_mode')}
          </p>
        ) : null}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <footer className="bottom">
          {model.sender ? <p dir="auto">{model.sender}</p> : null}
          {personal ? <p>{t('footer.personal')}</p> : null}
          <p>
            <Icon name="shield" /> {t('footer.product')}
          </p>
        </footer>
      </body>
    </html>
  );
}

function Brand({ brand }: { brand: PropertyBrandView | null }) {
  const name = brand?.property_name ?? 'Threshold';
  const logo = getSafeLogoUrl(brand?.logo_url);
  return (
    <p className="brand">
      {logo ? (
        <img src={logo} alt="" width="40" height="40" referrerPolicy="no-referrer" decoding="async" />
      ) : (
        <span className="monogram" aria-hidden="true">
          {monogram(name)}
        </span>
      )}
      <span className="brand-name" dir="auto">
        {name}
      </span>
    </p>
  );
}

const monogram = (name: string) => [...name.trim().toUpperCase()][0] ?? '·';

function LanguageSwitch({ model, t }: { model: BasePageModel; t: TranslateFunction }) {
  return (
    <details className="languages">
      <summary>
        <Icon name="globe" />
        <span className="sr-only">{t('lang.label')}: </span>
        <span>{GUEST_LANGUAGES[model.locale].name}</span>
      </summary>
      <ul>
        {GUEST_LOCALES.map((locale) => (
          <li key={locale}>
            <a
              href={addLanguageToPath(model.path, locale)}
              lang={GUEST_LANGUAGES[locale].tag}
              hrefLang={GUEST_LANGUAGES[locale].tag}
              aria-current={locale === model.locale ? 'true' : undefined}
            >
              {GUEST_LANGUAGES[locale].name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
