import { getConsentText } from '@/shared/guest-text/consent';
import { getGuestTranslator, type TranslateFunction } from '@/shared/guest-text/translate';
import { addLanguageToPath, GuestPageHtmlDocument } from '../components/document';
import { SigningReviewSummaryRows } from '../components/review-dialog';
import { renderElementToHtml } from '../render';
import type { SignReviewPageModel } from '../view-models';

/**
 * Renders the review step for browsers without JavaScript or <dialog>, in response to a valid form
 * posted with `intent=review`. The form on this page posts the same fields to sign.
 */
export async function renderSigningReviewPage(model: SignReviewPageModel): Promise<string> {
  return renderElementToHtml(<ReviewPage model={model} t={getGuestTranslator(model.locale)} />);
}

function ReviewPage({ model, t }: { model: SignReviewPageModel; t: TranslateFunction }) {
  return (
    <GuestPageHtmlDocument model={model} brand={model.brand} title={t('review.title')} t={t}>
      <div className="narrow">
        <div className="hero">
          <h1>{t('review.title')}</h1>
          <p className="lead">{t('review.lead')}</p>
        </div>
        <form className="card" method="post">
          <input type="hidden" name="displayed_hash" value={model.displayed_hash} />
          <input type="hidden" name="locale" value={model.locale} />
          <input type="hidden" name="typed_name" value={model.values.typed_name} />
          <input type="hidden" name="otp_code" value={model.values.otp_code} />
          <input type="hidden" name="consent" value="on" />
          {model.acceptances.map(({ name }) => (
            <input key={name} type="hidden" name={`accept_${name}`} value="on" />
          ))}
          {model.photo ? <input type="hidden" name="photo" value={model.photo} /> : null}
          {model.drawn_signature ? <input type="hidden" name="drawn_signature" value={model.drawn_signature} /> : null}
          <dl className="pairs">
            <div>
              <dt>{t('review.name')}</dt>
              <dd className="signature-name" dir="auto">
                {model.values.typed_name}
              </dd>
            </div>
            {model.drawn_signature ? (
              <div>
                <dt>{t('review.drawing')}</dt>
                <dd>
                  <img className="drawn" src={model.drawn_signature} alt={t('review.drawing')} />
                </dd>
              </div>
            ) : null}
            {model.photo ? (
              <div>
                <dt>{t('review.photo')}</dt>
                <dd>
                  <img className="thumb" src={model.photo} alt={t('photo.alt')} />
                </dd>
              </div>
            ) : null}
            <SigningReviewSummaryRows
              property={model.brand.property_name}
              stay={model.stay}
              locale={model.locale}
              counts={model.counts}
              t={t}
            />
          </dl>
          <p>{getConsentText(model.locale).statement}</p>
          {model.acceptances.map(({ name, text }) => (
            <p key={name}>{text}</p>
          ))}
          <div className="actions">
            <a className="button" href={`${addLanguageToPath(model.path, model.locale)}#sign`}>
              {t('review.back')}
            </a>
            <button className="button button-primary" type="submit" name="intent" value="sign">
              {t('review.confirm')}
            </button>
          </div>
        </form>
      </div>
    </GuestPageHtmlDocument>
  );
}
