import { getGuestTranslator, type TranslateFunction } from '@/shared/guest-text/translate';
import { GuestPageHtmlDocument } from '../components/document';
import { ErrorText, FormErrorSummary, getAriaDescriptionAttributes, OneTimeCodeInput } from '../components/fields';
import { StayCard } from '../components/stay';
import { renderElementToHtml } from '../render';
import type { ContactPageModel } from '../view-models';

/**
 * Renders the page for a booking without an email address, which the host's shared link opens. Step
 * `email` posts `email` with `intent=send_code`. Step `code` posts `email` (hidden) and `otp_code`
 * with `intent=confirm`, `intent=send_code` or `intent=change_email`.
 */
export async function renderMissingEmailAddressPage(model: ContactPageModel): Promise<string> {
  return renderElementToHtml(<ContactPage model={model} t={getGuestTranslator(model.locale)} />);
}

function ContactPage({ model, t }: { model: ContactPageModel; t: TranslateFunction }) {
  const { brand } = model;
  const heading = t(model.step === 'email' ? 'contact.heading' : 'contact.code_heading');
  return (
    <GuestPageHtmlDocument
      model={model}
      brand={brand}
      title={t('contact.page_title', { property: brand.property_name })}
      t={t}
    >
      <div className="narrow">
        <div className="hero">
          <h1>{heading}</h1>
          <p className="lead">
            {model.step === 'email'
              ? t('contact.lead')
              : t('code.sent', { email: model.email, minutes: model.expires_in_minutes })}
          </p>
        </div>
        <FormErrorSummary errors={model.errors} t={t} />
        <div className="stack">
          <form className="card" method="post">
            <input type="hidden" name="locale" value={model.locale} />
            {model.step === 'email' ? <EmailStep model={model} t={t} /> : <ConfirmStep model={model} t={t} />}
          </form>
          <StayCard brand={brand} stay={model.stay} locale={model.locale} t={t} />
        </div>
      </div>
    </GuestPageHtmlDocument>
  );
}

function EmailStep({ model, t }: { model: ContactPageModel; t: TranslateFunction }) {
  return (
    <>
      <div className="field">
        <label htmlFor="email">{t('contact.email_label')}</label>
        <p className="hint" id="email-hint">
          {t('contact.email_hint')}
        </p>
        <ErrorText field="email" errors={model.errors} required="email_required" t={t} />
        <input
          id="email"
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          spellCheck={false}
          maxLength={254}
          required
          defaultValue={model.email}
          {...getAriaDescriptionAttributes('email', model.errors, true)}
        />
      </div>
      <button className="button button-primary button-wide" type="submit" name="intent" value="send_code">
        {t('contact.send')}
      </button>
    </>
  );
}

function ConfirmStep({ model, t }: { model: ContactPageModel; t: TranslateFunction }) {
  return (
    <>
      <input type="hidden" name="email" value={model.email} />
      <OneTimeCodeInput errors={model.errors} value="" t={t} required />
      <button className="button button-primary button-wide" type="submit" name="intent" value="confirm">
        {t('contact.confirm')}
      </button>
      <div className="actions">
        <button className="button" type="submit" name="intent" value="send_code" formNoValidate>
          {t('code.resend')}
        </button>
        <button className="button" type="submit" name="intent" value="change_email" formNoValidate>
          {t('contact.change')}
        </button>
      </div>
    </>
  );
}
