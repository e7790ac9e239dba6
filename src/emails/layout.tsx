/**
 * The layout and components of all mails. Mail clients support little CSS, so styles are inline.
 * One style block adds the dark scheme for clients that support it. Templates import this file
 * lazily (render.ts explains why).
 */
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Img } from '@react-email/img';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { type CSSProperties, Fragment, type ReactNode } from 'react';
import { computeBrandColorTokens, getSafeLogoUrl } from '@/shared/colour/brand';
import { DEFAULT_LOCALE, GUEST_LANGUAGES, parseLocale } from '@/shared/guest-text/locale';
import { getGuestTranslator } from '@/shared/guest-text/translate';

/** The branding of a mail: the property's in mails to guests, Threshold's in mails to hosts. */
export interface EmailBrand {
  name: string;
  brand_color: string | null;
  logo_url: string | null;
}

export const PRODUCT_BRAND: EmailBrand = { name: 'Threshold', brand_color: null, logo_url: null };

const FONT = "Inter, -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const color = {
  page: '#f6f4f0',
  surface: '#ffffff',
  text: '#211e1a',
  quiet: '#5f5950',
  line: '#e2ddd4',
  sunken: '#f6f4f0',
};

const darkScheme = (brand_color: string | null) => {
  const { fill, on_fill, edge, ink } = computeBrandColorTokens(brand_color, 'dark');
  return `@media (prefers-color-scheme:dark){
.m-page,.m-page>table,.m-page>table>tbody>tr>td{background-color:#141312!important}
.m-card{background-color:#1e1c1a!important;border-color:#36322d!important}
.m-text{color:#f3efe9!important}
.m-quiet{color:#b8b0a5!important}
.m-box{background-color:#292623!important}
.m-line{border-color:#36322d!important}
.m-link{color:${ink}!important}
.m-button{background-color:${fill}!important;border-color:${edge}!important;color:${on_fill}!important}
.m-bar{background-color:${fill}!important}
}`;
};

export function EmailLayout({
  lang,
  brand,
  preview,
  heading,
  footer,
  testMode = false,
  children,
}: {
  lang: string;
  brand: EmailBrand;
  preview: string;
  heading: string;
  footer: string[];
  testMode?: boolean;
  children: ReactNode;
}) {
  const logo = getSafeLogoUrl(brand.logo_url);
  const { dir, t } = languageOf(lang);
  // Webmail removes the <html> and <body> elements, so inner elements repeat the text direction.
  const side = { direction: dir, textAlign: startOf(dir) } as const;
  return (
    <Html lang={lang} dir={dir}>
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkScheme(brand.brand_color)}</style>
        <title>{heading}</title>
      </Head>
      <Preview>{preview}</Preview>
      <Body
        className="m-page"
        dir={dir}
        style={{ margin: 0, padding: '24px 12px', backgroundColor: color.page, fontFamily: FONT }}
      >
        <Container className="m-card" dir={dir} style={{ ...card, ...side }}>
          <Section
            className="m-bar"
            style={{
              backgroundColor: computeBrandColorTokens(brand.brand_color, 'light').fill,
              height: '4px',
              lineHeight: '4px',
              fontSize: '1px',
            }}
          />
          <Section style={{ padding: '28px 32px 32px' }}>
            {testMode ? (
              <Text className="m-quiet" style={{ ...quiet, margin: '0 0 12px', fontWeight: 600 }}>
                {t('test_mode')}
              </Text>
            ) : null}
            {logo ? (
              <Img
                src={logo}
                alt=""
                width="48"
                height="48"
                style={{ borderRadius: '12px', objectFit: 'contain', marginBottom: '12px' }}
              />
            ) : null}
            <Text className="m-quiet" style={{ ...quiet, margin: '0 0 20px', fontWeight: 600 }}>
              {brand.name}
            </Text>
            <Heading
              as="h1"
              className="m-text"
              style={{
                margin: '0 0 16px',
                fontSize: '24px',
                lineHeight: '30px',
                // In Arabic, letter spacing would separate joined letters.
                letterSpacing: dir === 'rtl' ? 'normal' : '-0.02em',
                color: color.text,
              }}
            >
              {heading}
            </Heading>
            {children}
          </Section>
        </Container>
        <Container dir={dir} style={{ maxWidth: '560px', padding: '16px 32px', ...side }}>
          {footer.map((line) => (
            <Text
              key={line}
              className="m-quiet"
              style={{ ...quiet, margin: '0 0 6px', fontSize: '13px', lineHeight: '20px' }}
            >
              {line}
            </Text>
          ))}
        </Container>
      </Body>
    </Html>
  );
}

function languageOf(lang: string) {
  const locale = parseLocale(lang) ?? DEFAULT_LOCALE;
  return { dir: GUEST_LANGUAGES[locale].dir, t: getGuestTranslator(locale) };
}

const startOf = (dir: 'ltr' | 'rtl') => (dir === 'rtl' ? 'right' : 'left');

const card: CSSProperties = {
  maxWidth: '560px',
  backgroundColor: color.surface,
  border: `1px solid ${color.line}`,
  borderRadius: '16px',
  overflow: 'hidden',
};
const body: CSSProperties = { margin: '0 0 16px', fontSize: '16px', lineHeight: '25px', color: color.text };
const quiet: CSSProperties = { fontSize: '14px', lineHeight: '21px', color: color.quiet };

export function EmailParagraph({ children }: { children: ReactNode }) {
  return (
    <Text className="m-text" style={body}>
      {children}
    </Text>
  );
}

export function EmailFinePrint({ children }: { children: ReactNode }) {
  return (
    <Text className="m-quiet" style={{ ...quiet, margin: '0 0 12px' }}>
      {children}
    </Text>
  );
}

/** The button of a mail. In the plain text it becomes one line with the label and URL. */
export function EmailActionButton({ href, label, brand }: { href: string; label: string; brand: EmailBrand }) {
  const { fill, on_fill, edge } = computeBrandColorTokens(brand.brand_color, 'light');
  return (
    <Section style={{ margin: '24px 0' }}>
      <Button
        className="m-button"
        href={href}
        style={{
          backgroundColor: fill,
          border: `1px solid ${edge}`,
          color: on_fill,
          padding: '15px 28px',
          borderRadius: '12px',
          fontSize: '16px',
          fontWeight: 600,
          textDecoration: 'none',
        }}
      >
        {label}
      </Button>
    </Section>
  );
}

/**
 * The button's URL, for clients that do not show the button. It is omitted from the plain text,
 * where the button already has its URL.
 */
export function EmailPlainLink({ href, label, brand }: { href: string; label: string; brand: EmailBrand }) {
  return (
    <Section data-skip-in-text="true">
      <Hr className="m-line" style={{ borderColor: color.line, margin: '24px 0 16px' }} />
      <Text className="m-quiet" style={{ ...quiet, margin: '0 0 4px' }}>
        {label}
      </Text>
      <Text className="m-quiet" dir="ltr" style={{ ...quiet, margin: '0 0 12px', wordBreak: 'break-all' }}>
        <Link className="m-link" href={href} style={{ color: computeBrandColorTokens(brand.brand_color, 'light').ink }}>
          {href}
        </Link>
      </Text>
    </Section>
  );
}

/** A list of labelled facts, for example the dates of a stay. */
export function EmailLabelValueTable({ rows }: { rows: { label: string; value: string }[] }) {
  return (
    <Section
      className="m-box"
      style={{ backgroundColor: color.sunken, borderRadius: '12px', padding: '14px 20px', margin: '0 0 20px' }}
    >
      {rows.map((row) => (
        <Text
          key={row.label}
          className="m-text"
          style={{ margin: '4px 0', fontSize: '15px', lineHeight: '23px', color: color.text, wordBreak: 'break-word' }}
        >
          <span className="m-quiet" style={{ color: color.quiet }}>
            {row.label}:
          </span>{' '}
          <strong>{row.value}</strong>
        </Text>
      ))}
    </Section>
  );
}

/** A host's own text with its line breaks, in the direction of its language. */
export function EmailHostTextBlock({ title, text, lang = 'en' }: { title: string; text: string; lang?: string }) {
  const start = startOf(languageOf(lang).dir);
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  return (
    <Section
      className="m-line"
      style={
        start === 'right'
          ? { borderRight: `3px solid ${color.line}`, paddingRight: '16px', margin: '0 0 20px' }
          : { borderLeft: `3px solid ${color.line}`, paddingLeft: '16px', margin: '0 0 20px' }
      }
    >
      <Text className="m-quiet" style={{ ...quiet, margin: '0 0 6px', fontWeight: 600 }}>
        {title}
      </Text>
      {paragraphs.map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: static markup, nothing is ever reordered
        <Text key={index} className="m-text" dir="auto" style={{ ...body, margin: '0 0 10px' }}>
          {paragraph.split('\n').map((line, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: static markup, nothing is ever reordered
            <Fragment key={position}>
              {position > 0 ? <br /> : null}
              {line}
            </Fragment>
          ))}
        </Text>
      ))}
    </Section>
  );
}

/** A one-time code in large type. */
export function EmailOneTimeCode({ value }: { value: string }) {
  return (
    <Section
      className="m-box"
      style={{
        backgroundColor: color.sunken,
        borderRadius: '12px',
        padding: '18px 20px',
        margin: '0 0 20px',
        textAlign: 'center',
      }}
    >
      <Text
        className="m-text"
        style={{
          margin: 0,
          fontSize: '32px',
          lineHeight: '40px',
          fontWeight: 700,
          letterSpacing: '0.2em',
          color: color.text,
          fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
        }}
      >
        {value}
      </Text>
    </Section>
  );
}

/** The open-tracking pixel, a transparent picture. It is omitted from the plain text. */
export function EmailOpenTrackingPixel({ src }: { src: string }) {
  return <Img src={src} alt="" width="1" height="1" data-skip-in-text="true" style={{ display: 'block', border: 0 }} />;
}
