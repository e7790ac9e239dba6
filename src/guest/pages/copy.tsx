import { formatInstant } from '@/shared/guest-text/format';
import { getGuestTranslator, type TranslateFunction } from '@/shared/guest-text/translate';
import { ArrivalDetailsSection, SafetySection } from '../components/arrival';
import { GuestPageHtmlDocument } from '../components/document';
import { Icon } from '../components/icons';
import { FeesSection, RulesSection, WelcomeSection } from '../components/packet';
import { StayCard } from '../components/stay';
import { FormattedHash } from '../components/text';
import { renderElementToHtml } from '../render';
import type { SignedCopyPageModel } from '../view-models';

/**
 * Renders the guest's own copy, `/c/<copy_token>`. For revoked and redacted copies,
 * renderGuestLinkStatePage is used instead.
 */
export async function renderSignedCopyPage(model: SignedCopyPageModel): Promise<string> {
  return renderElementToHtml(<CopyPage model={model} t={getGuestTranslator(model.locale)} />);
}

function CopyPage({ model, t }: { model: SignedCopyPageModel; t: TranslateFunction }) {
  const { brand, packet, locale } = model;
  return (
    <GuestPageHtmlDocument
      model={model}
      brand={brand}
      title={t('copy.page_title', { property: brand.property_name })}
      t={t}
      beacon
    >
      <div className="hero">
        <h1>{t('copy.heading')}</h1>
        <p className="lead">{t('copy.lead')}</p>
      </div>
      <div className="columns">
        <aside>
          <StayCard brand={brand} stay={model.stay} locale={locale} t={t} />
        </aside>
        <div className="stack">
          <CertificateSection model={model} t={t} />
          <WelcomeSection text={packet.welcome_message} changed={false} t={t} />
          <RulesSection rules={packet.rules} removed={[]} t={t} />
          <FeesSection fees={packet.fees} currency={packet.currency} removed={[]} locale={locale} t={t} />
          <ArrivalDetailsSection groups={packet.arrival} t={t} />
          <SafetySection text={packet.safety_notes} t={t} />
          <EvidenceSection model={model} t={t} />
        </div>
      </div>
    </GuestPageHtmlDocument>
  );
}

function CertificateSection({ model, t }: { model: SignedCopyPageModel; t: TranslateFunction }) {
  return (
    <section className="card" aria-labelledby="certificate-title">
      <h2 id="certificate-title">{t('copy.certificate')}</h2>
      <dl className="pairs">
        <div>
          <dt>{t('copy.signed_by')}</dt>
          <dd className="signature-name" dir="auto">
            {model.signer_name}
          </dd>
        </div>
        {model.drawn_signature?.startsWith('data:image/png;base64,') ? (
          <div>
            <dt>{t('review.drawing')}</dt>
            <dd>
              <img className="drawn" src={model.drawn_signature} alt={t('copy.drawing_alt')} width="320" height="100" />
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{t('copy.signed_at')}</dt>
          <dd>
            <time dateTime={model.signed_at}>{formatInstant(model.signed_at, model.locale, model.timezone)}</time>
          </dd>
        </div>
      </dl>
      <p dir="auto">{model.statement}</p>
      {model.pdf?.state === 'preparing' ? (
        <p className="quiet">
          <Icon name="clock" /> {t('done.pdf_preparing')}
        </p>
      ) : null}
      <div className="actions">
        {model.pdf?.state === 'ready' && model.pdf.url ? (
          <a className="button button-primary" href={model.pdf.url}>
            <Icon name="download" /> {t('done.pdf')}
          </a>
        ) : (
          <a className="button" href={model.path}>
            {t('done.reload')}
          </a>
        )}
        {model.verify_url ? (
          <a className="button" href={model.verify_url}>
            <Icon name="shield" /> {t('copy.verify')}
          </a>
        ) : null}
      </div>
    </section>
  );
}

function EvidenceSection({ model, t }: { model: SignedCopyPageModel; t: TranslateFunction }) {
  return (
    <section className="card" aria-labelledby="evidence-title">
      <h2 id="evidence-title">{t('copy.evidence')}</h2>
      <p className="quiet">{t('copy.evidence_intro')}</p>
      <dl className="pairs pairs-wide">
        <div>
          <dt>{t('copy.content_hash')}</dt>
          <dd>
            <FormattedHash value={model.content_hash} />
          </dd>
        </div>
        {model.pdf_sha256 ? (
          <div>
            <dt>{t('copy.pdf_hash')}</dt>
            <dd>
              <FormattedHash value={model.pdf_sha256} />
            </dd>
          </div>
        ) : null}
      </dl>
      <p className="quiet">{t('copy.consent', { version: model.consent_version })}</p>
    </section>
  );
}
