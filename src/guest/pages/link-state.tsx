import { formatDay } from '@/shared/guest-text/format';
import { getGuestTranslator, type TranslateFunction } from '@/shared/guest-text/translate';
import { SafetySection } from '../components/arrival';
import { GuestPageHtmlDocument } from '../components/document';
import { Icon, type IconName } from '../components/icons';
import { renderElementToHtml } from '../render';
import type { GuestLinkState, GuestLinkStatePageModel } from '../view-models';

const STATES: Readonly<Record<GuestLinkState, { status: number; icon: IconName; retry: boolean }>> = {
  replaced: { status: 410, icon: 'link', retry: false },
  cancelled: { status: 410, icon: 'cross', retry: false },
  expired: { status: 410, icon: 'clock', retry: false },
  unknown: { status: 404, icon: 'link', retry: false },
  error: { status: 500, icon: 'alert', retry: true },
  form_refused: { status: 400, icon: 'alert', retry: true },
  rate_limited: { status: 429, icon: 'clock', retry: true },
  copy_revoked: { status: 410, icon: 'lock', retry: false },
  copy_redacted: { status: 410, icon: 'minus', retry: false },
  copy_altered: { status: 409, icon: 'alert', retry: false },
};

/** Returns the HTTP status of a link's state. */
export function getGuestLinkStateHttpStatus(state: GuestLinkState): number {
  return STATES[state].status;
}

/**
 * Renders the page for a link that cannot be used. The page explains the reason and the next step.
 */
export async function renderGuestLinkStatePage(model: GuestLinkStatePageModel): Promise<string> {
  return renderElementToHtml(<LinkStatePage model={model} t={getGuestTranslator(model.locale)} />);
}

function LinkStatePage({ model, t }: { model: GuestLinkStatePageModel; t: TranslateFunction }) {
  const { state } = model;
  return (
    <GuestPageHtmlDocument model={model} brand={model.brand} title={t(`state.${state}.title`)} t={t} personal={false}>
      <div className="narrow">
        <div className="hero hero-state">
          <span className="seal seal-quiet">
            <Icon name={STATES[state].icon} />
          </span>
          <h1>{t(`state.${state}.title`)}</h1>
          <p className="lead">{t(`state.${state}.body`)}</p>
        </div>
        <div className="stack">
          <div className="card">
            <p className="next-step">{t(`state.${state}.action`)}</p>
            {model.restored_on ? (
              <p className="quiet">
                {t('state.restored', { date: formatDay(model.restored_on, model.locale, 'long') })}
              </p>
            ) : null}
            {model.reference ? (
              <p className="quiet">
                <code>{t('state.reference', { reference: model.reference })}</code>
              </p>
            ) : null}
            {STATES[state].retry ? (
              <div className="actions">
                <a className="button button-primary" href={model.path}>
                  {t('state.retry')}
                </a>
              </div>
            ) : null}
          </div>
          <SafetySection text={model.safety_notes} t={t} />
        </div>
      </div>
    </GuestPageHtmlDocument>
  );
}
