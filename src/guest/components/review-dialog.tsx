import { getIntlLanguageTag } from '@/shared/guest-text/locale';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { SignPageModel, StayDatesView } from '../view-models';
import { formatStayDates } from './stay';

/**
 * The review step with JavaScript. The form's button opens this dialog, which shows the guest's
 * input.
 */
export function SigningReviewDialog({ model, t }: { model: SignPageModel; t: TranslateFunction }) {
  return (
    <dialog className="review" id="review" aria-labelledby="review-title">
      <h2 id="review-title" tabIndex={-1}>
        {t('review.title')}
      </h2>
      <p className="quiet">{t('review.lead')}</p>
      <dl className="pairs">
        <div>
          <dt>{t('review.name')}</dt>
          <dd className="signature-name" data-review-name dir="auto" />
        </div>
        <div hidden data-review-drawing>
          <dt>{t('review.drawing')}</dt>
          <dd>
            <img className="drawn" alt={t('review.drawing')} />
          </dd>
        </div>
        <div hidden data-review-photo>
          <dt>{t('review.photo')}</dt>
          <dd>
            <img className="thumb" alt={t('photo.alt')} />
          </dd>
        </div>
        <SigningReviewSummaryRows
          property={model.brand.property_name}
          stay={model.stay}
          locale={model.locale}
          counts={{ rules: model.packet.rules.length, fees: model.packet.fees.length }}
          t={t}
        />
      </dl>
      <div className="actions">
        <button className="button" type="button" data-review-back>
          {t('review.back')}
        </button>
        <button className="button button-primary" type="button" data-review-confirm data-sending={t('form.sending')}>
          {t('review.confirm')}
        </button>
      </div>
    </dialog>
  );
}

/**
 * The facts that the guest acknowledges, in three rows. The review page without JavaScript shows
 * the same rows.
 */
export function SigningReviewSummaryRows({
  property,
  stay,
  locale,
  counts,
  t,
}: {
  property: string;
  stay: StayDatesView;
  locale: SignPageModel['locale'];
  counts: { rules: number; fees: number };
  t: TranslateFunction;
}) {
  const content = [
    t('review.rules', { count: counts.rules }),
    t('review.fees', { count: counts.fees }),
    t('review.arrival'),
  ];
  return (
    <>
      <div>
        <dt>{t('review.property')}</dt>
        <dd dir="auto">{property}</dd>
      </div>
      <div>
        <dt>{t('review.dates')}</dt>
        <dd>{formatStayDates(stay, locale)}</dd>
      </div>
      <div>
        <dt>{t('review.content')}</dt>
        <dd>{new Intl.ListFormat(getIntlLanguageTag(locale), { type: 'conjunction' }).format(content)}</dd>
      </div>
    </>
  );
}
