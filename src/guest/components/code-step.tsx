import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { FieldError, OneTimeCodeStepView } from '../view-models';
import { FormStep, OneTimeCodeInput } from './fields';
import { Icon } from './icons';

/**
 * The step for the one-time code. After the guest has confirmed a code, the page contains the code
 * in a hidden field, and the server checks it again at signing. Anyone else who opens the link has
 * to enter a code too. “Send” posts the whole form with `intent=send_code`, so that typed input is
 * kept without JavaScript. With JavaScript, the same request is sent in the background.
 */
export function OneTimeCodeStep({
  step,
  value,
  errors,
  t,
}: {
  step: OneTimeCodeStepView;
  value: string;
  errors: FieldError<string>[];
  t: TranslateFunction;
}) {
  const sent = t('code.sent', { email: step.sent_to, minutes: step.expires_in_minutes });
  return (
    <FormStep id="code-step" title={t('code.title')}>
      {step.state === 'confirmed' ? (
        <>
          <input type="hidden" name="otp_code" value={value} />
          <p className="status status-good">
            <Icon name="check" /> {t('code.confirmed')}
          </p>
        </>
      ) : (
        <>
          <p className="hint">{t('code.explain', { email: step.sent_to })}</p>
          <div className="send-code">
            <button
              className="button"
              type="submit"
              name="intent"
              value="send_code"
              formNoValidate
              data-send-code
              data-sending={t('code.sending')}
              data-sent={sent}
              data-failed={t('code.failed')}
              data-resend={t('code.resend')}
            >
              {t(step.state === 'sent' ? 'code.resend' : 'code.send')}
            </button>
            <p className="status" role="status" id="code-status">
              {step.state === 'sent' ? sent : ''}
            </p>
          </div>
          <OneTimeCodeInput errors={errors} value={value} t={t} required />
        </>
      )}
    </FormStep>
  );
}
