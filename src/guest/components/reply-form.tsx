import { MAX_GUEST_REPLY_LENGTH } from '@/modules/signing/packet-view';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { SignPageModel } from '../view-models';

/**
 * The form for guests who do not want to sign yet. They can ask the host a question or refuse. The
 * form is separate from the signing form and works without scripts.
 */
export function GuestQuestionOrRefusalForm({ model, t }: { model: SignPageModel; t: TranslateFunction }) {
  return (
    <details className="card reply" id="reply">
      <summary>{t('reply.title')}</summary>
      <form method="post">
        <p className="quiet">{t('reply.body')}</p>
        <input type="hidden" name="locale" value={model.locale} />
        <div className="field">
          <label htmlFor="guest_message">{t('reply.message')}</label>
          <textarea id="guest_message" name="guest_message" rows={4} maxLength={MAX_GUEST_REPLY_LENGTH} dir="auto" />
        </div>
        <div className="actions">
          <button className="button" type="submit" name="intent" value="question">
            {t('reply.ask')}
          </button>
          <button className="button" type="submit" name="intent" value="declined">
            {t('reply.decline')}
          </button>
        </div>
      </form>
    </details>
  );
}
