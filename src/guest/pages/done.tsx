import { formatDay, formatInstant } from '@/shared/guest-text/format';
import { getGuestTranslator, type TranslateFunction } from '@/shared/guest-text/translate';
import { ArrivalDetailsSection, SafetySection } from '../components/arrival';
import { GuestPageHtmlDocument } from '../components/document';
import { Icon } from '../components/icons';
import { StayCard } from '../components/stay';
import { renderElementToHtml } from '../render';
import type { SigningDonePageModel } from '../view-models';

/**
 * Renders the page after signing, which is also shown on later visits: released details, the copy,
 * the certificate.
 */
export async function renderSigningCompletedPage(model: SigningDonePageModel): Promise<string> {
  return renderElementToHtml(<DonePage model={model} t={getGuestTranslator(model.locale)} />);
}

function DonePage({ model, t }: { model: SigningDonePageModel; t: TranslateFunction }) {
  const { brand, signed, locale } = model;
  const date = formatInstant(signed.at, locale, model.timezone);
  return (
    <GuestPageHtmlDocument
      model={model}
      brand={brand}
      title={t('done.page_title', { property: brand.property_name })}
      t={t}
      beacon={model.revisit}
      signed
    >
      <div className="hero hero-done">
        <span className="seal">
          <Icon name="check" />
        </span>
        <h1>{t('done.heading')}</h1>
        <p className="lead" dir="auto">
          {signed.by === 'guest' ? t('done.signed_by', { name: signed.name, date }) : t('done.manual')}
        </p>
        {signed.by === 'manual' ? <p className="quiet">{t('done.confirmed_on', { date })}</p> : null}
      </div>
      <div className="columns">
        <aside>
          <StayCard brand={brand} stay={model.stay} locale={locale} t={t} />
        </aside>
        <div className="stack">
          {model.arrival.length > 0 ? (
            <ArrivalDetailsSection groups={model.arrival} t={t} />
          ) : (
            <p className="card quiet">{t('done.arrival_none')}</p>
          )}
          <SafetySection text={model.safety_notes} t={t} />
          <CopySection model={model} t={t} />
          <section className="card" aria-labelledby="next-title">
            <h2 id="next-title">{t('done.next_title')}</h2>
            <ol className="next">
              <li>{t('done.next_host')}</li>
              <li>{t('done.next_return')}</li>
              <li>{t('done.next_arrive', { date: formatDay(model.stay.checkin_date, locale) })}</li>
            </ol>
          </section>
        </div>
      </div>
    </GuestPageHtmlDocument>
  );
}

function CopySection({ model, t }: { model: SigningDonePageModel; t: TranslateFunction }) {
  const { copy_url, pdf } = model;
  if (!copy_url && !pdf) return null;
  return (
    <section className="card" id="copy" aria-labelledby="copy-title">
      <h2 id="copy-title">{t('done.copy_title')}</h2>
      {copy_url ? <p>{t('done.copy_body')}</p> : null}
      {pdf?.state === 'preparing' ? (
        <p className="quiet" role="status">
          <Icon name="clock" /> {t('done.pdf_preparing')}
        </p>
      ) : null}
      <div className="actions">
        {pdf?.state === 'ready' && pdf.url ? (
          <a className="button button-primary" href={pdf.url}>
            <Icon name="download" /> {t('done.pdf')}
          </a>
        ) : null}
        {pdf?.state === 'preparing' ? (
          <a className="button" href={model.path}>
            {t('done.reload')}
          </a>
        ) : null}
        {copy_url ? (
          <>
            <a className="button" href={copy_url}>
              {t('done.copy_open')}
            </a>
            <button className="button js-only" type="button" data-copy={copy_url} data-copied={t('done.copied')}>
              <Icon name="link" /> <span>{t('done.copy_link')}</span>
            </button>
          </>
        ) : null}
      </div>
      <p className="sr-only" role="status" data-copy-status />
    </section>
  );
}
