import { getConsentText } from '@/shared/guest-text/consent';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { SignPageModel } from '../view-models';
import { OneTimeCodeStep } from './code-step';
import { ErrorText, FormStep, getAriaDescriptionAttributes } from './fields';
import { Icon } from './icons';
import { SigningReviewDialog } from './review-dialog';

/**
 * The signing form. It posts to the page's own URL. Without JavaScript, its button requests the
 * review page (`intent=review`). With JavaScript, the review is a dialog, and confirming it posts
 * the form without an intent.
 */
export function SignForm({ model, held, t }: { model: SignPageModel; held: boolean; t: TranslateFunction }) {
  const { errors, values } = model;
  return (
    <section className="card sign" id="sign" aria-labelledby="sign-title">
      <h2 id="sign-title">{t('form.title')}</h2>
      {held ? (
        <p className="quiet">
          <Icon name="lock" /> {t('sign.held_hint')}
        </p>
      ) : null}
      <form
        method="post"
        id="sign-form"
        encType={model.selfie_required ? 'multipart/form-data' : undefined}
        data-errors={[1, 2, 3, 4, 5, 6, 7, 8].map((count) => t('errors.title', { count })).join('\n')}
      >
        <input type="hidden" name="displayed_hash" value={model.displayed_hash} />
        <input type="hidden" name="locale" value={model.locale} />
        {/* The Enter key in a field activates the form's first submit button. Without this hidden
            button, Enter would send a code. */}
        <button className="sr-only" type="submit" name="intent" value="review" tabIndex={-1} aria-hidden="true" />
        {model.code ? <OneTimeCodeStep step={model.code} value={values?.otp_code ?? ''} errors={errors} t={t} /> : null}
        {model.selfie_required ? <PhotoStep model={model} t={t} /> : null}
        <div className="step">
          <div className="field">
            <label htmlFor="typed_name">{t('form.name_label')}</label>
            <p className="hint" id="typed_name-hint">
              {t('form.name_hint')}
            </p>
            <ErrorText field="typed_name" errors={errors} required="name_required" t={t} />
            <input
              className="signature-input"
              id="typed_name"
              name="typed_name"
              type="text"
              autoComplete="name"
              autoCapitalize="words"
              spellCheck={false}
              maxLength={120}
              required
              defaultValue={values?.typed_name ?? ''}
              {...getAriaDescriptionAttributes('typed_name', errors, true)}
            />
          </div>
        </div>
        <DrawStep model={model} t={t} />
        <AcceptanceStep model={model} t={t} />
        <ConsentStep model={model} t={t} />
        <button className="button button-primary button-wide" type="submit" name="intent" value="review">
          {t('form.review')}
        </button>
        <p className="status" id="form-status" role="status" data-offline={t('form.offline')} />
      </form>
      <SigningReviewDialog model={model} t={t} />
    </section>
  );
}

function DrawStep({ model, t }: { model: SignPageModel; t: TranslateFunction }) {
  return (
    <FormStep id="drawn_signature" title={t('form.draw_title')} className="js-only">
      <p className="hint">{t('form.draw_hint')}</p>
      <ErrorText field="drawn_signature" errors={model.errors} required={null} t={t} />
      <input type="hidden" name="drawn_signature" defaultValue="" />
      <div className="pad" data-pad data-done={t('form.draw_done')} data-cleared={t('form.draw_cleared')}>
        <canvas width="640" height="200" role="img" aria-label={t('form.draw_area')} />
        <button className="button button-small" type="button" data-clear hidden>
          {t('form.draw_clear')}
        </button>
      </div>
      <p className="sr-only" role="status" data-pad-status />
    </FormStep>
  );
}

function PhotoStep({ model, t }: { model: SignPageModel; t: TranslateFunction }) {
  return (
    <FormStep id="photo-step" title={t('photo.title')}>
      <p className="hint" id="photo-hint">
        {t('photo.why')}
      </p>
      <ErrorText field="photo" errors={model.errors} required="photo_required" t={t} />
      <p className="hint nojs-only">{t('photo.noscript')}</p>
      <div
        className="photo"
        data-photo
        data-working={t('photo.working')}
        data-ready={t('photo.ready')}
        data-invalid={t('error.photo_invalid')}
        data-retake={t('photo.retake')}
      >
        <img src={model.photo ?? undefined} alt={t('photo.alt')} hidden={!model.photo} width="120" height="120" />
        <input type="hidden" name="photo" defaultValue={model.photo ?? ''} />
        {/* The script removes this name, so that the browser never posts the original file with its
            metadata. */}
        <input
          className="file-input"
          id="photo"
          name="photo_file"
          type="file"
          accept="image/jpeg,image/png"
          required={!model.photo}
          {...getAriaDescriptionAttributes('photo', model.errors, true)}
        />
        <label className="button" htmlFor="photo">
          {t(model.photo ? 'photo.retake' : 'photo.take')}
        </label>
        <p className="status" role="status" data-photo-status />
      </div>
    </FormStep>
  );
}

/** A checkbox for each statement that the host wants accepted separately. */
function AcceptanceStep({ model, t }: { model: SignPageModel; t: TranslateFunction }) {
  if (model.acceptances.length === 0) return null;
  return (
    <FormStep id="acceptances" title={t('accept.title')}>
      {model.acceptances.map(({ name, text }) => (
        <div key={name}>
          <ErrorText field={`accept_${name}`} errors={model.errors} required="acceptance_required" t={t} />
          <Tick name={`accept_${name}`} text={text} errors={model.errors} />
        </div>
      ))}
    </FormStep>
  );
}

/** A checkbox that is never checked in advance. */
function Tick({ name, text, errors }: { name: string; text: string; errors: SignPageModel['errors'] }) {
  return (
    <label className="check" htmlFor={name}>
      <input
        id={name}
        name={name}
        type="checkbox"
        value="on"
        required
        // Prevents browsers from restoring the checkbox when they show the page again, because the
        // content may have changed since.
        autoComplete="off"
        data-tick
        {...getAriaDescriptionAttributes(name, errors, false)}
      />
      <span>{text}</span>
    </label>
  );
}

function ConsentStep({ model, t }: { model: SignPageModel; t: TranslateFunction }) {
  const consent = getConsentText(model.locale);
  return (
    <FormStep id="consent-step" title={t('form.consent_title')}>
      <div className="consent-text">
        {consent.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      <ErrorText field="consent" errors={model.errors} required="consent_required" t={t} />
      <Tick name="consent" text={consent.statement} errors={model.errors} />
    </FormStep>
  );
}
