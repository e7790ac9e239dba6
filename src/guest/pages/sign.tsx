import { getGuestTranslator, type TranslateFunction } from '@/shared/guest-text/translate';
import { ArrivalDetailsSection, SafetySection } from '../components/arrival';
import { GuestPageHtmlDocument } from '../components/document';
import { FormErrorSummary } from '../components/fields';
import { Icon } from '../components/icons';
import { FeesSection, RulesSection, WelcomeSection } from '../components/packet';
import { GuestQuestionOrRefusalForm } from '../components/reply-form';
import { SignForm } from '../components/sign-form';
import { StayCard } from '../components/stay';
import { estimateReadingMinutes } from '../reading-time';
import { renderElementToHtml } from '../render';
import type { SignPageModel } from '../view-models';

/** Renders the signing page, `/sign/<token>`: the packet, followed by the form. */
export async function renderSignPage(model: SignPageModel): Promise<string> {
  return renderElementToHtml(<SignPage model={model} t={getGuestTranslator(model.locale)} />);
}

function SignPage({ model, t }: { model: SignPageModel; t: TranslateFunction }) {
  const { brand, packet, changes, locale } = model;
  const held = packet.arrival.some((group) => group.state === 'held' && group.until === 'signing');
  return (
    <GuestPageHtmlDocument
      model={model}
      brand={brand}
      title={t('sign.page_title', { property: brand.property_name })}
      t={t}
      beacon
    >
      <div className="hero">
        {model.guest_name ? (
          <p className="overline" dir="auto">
            {t('sign.greeting', { guest: model.guest_name })}
          </p>
        ) : null}
        <h1>{t('sign.heading', { property: brand.property_name })}</h1>
        <p className="lead">{t('sign.lead', { count: estimateReadingMinutes(packet) })}</p>
      </div>
      {model.replied ? (
        <p className="notice" role="status">
          {t('reply.sent')}
        </p>
      ) : null}
      <FormErrorSummary errors={model.errors} t={t} />
      {changes ? (
        <div className="notice" id="changed" role={model.errors.length === 0 ? 'alert' : undefined} tabIndex={-1}>
          <h2>
            <Icon name="alert" />
            <span>{t('changed.title')}</span>
          </h2>
          <p>{t(changes.marked ? 'changed.body' : 'changed.body_unmarked')}</p>
        </div>
      ) : null}
      <div className="columns">
        <aside>
          <StayCard brand={brand} stay={model.stay} locale={locale} t={t} />
          <Contents model={model} t={t} />
        </aside>
        <div className="stack">
          <WelcomeSection text={packet.welcome_message} changed={changes?.welcome_message ?? false} t={t} />
          <RulesSection rules={packet.rules} removed={changes?.removed_rules ?? []} t={t} />
          <FeesSection
            fees={packet.fees}
            currency={packet.currency}
            removed={changes?.removed_fees ?? []}
            locale={locale}
            t={t}
          />
          <ArrivalDetailsSection groups={packet.arrival} removed={changes?.removed_arrival ?? []} t={t} />
          <SafetySection text={packet.safety_notes} changed={changes?.safety_notes ?? false} t={t} />
          <SignForm model={model} held={held} t={t} />
          <GuestQuestionOrRefusalForm model={model} t={t} />
        </div>
      </div>
    </GuestPageHtmlDocument>
  );
}

function Contents({ model, t }: { model: SignPageModel; t: TranslateFunction }) {
  const { packet } = model;
  const entries = [
    packet.welcome_message?.trim() ? { id: 'welcome', label: t('welcome.title') } : null,
    { id: 'rules', label: t('rules.title') },
    { id: 'fees', label: t('fees.title') },
    packet.arrival.length > 0 ? { id: 'arrival', label: t('arrival.title') } : null,
    packet.safety_notes?.trim() ? { id: 'safety', label: t('safety.title') } : null,
    { id: 'sign', label: t('form.title') },
  ].filter((entry) => entry !== null);
  return (
    <nav className="contents" aria-labelledby="contents-title">
      <h2 className="overline" id="contents-title">
        {t('sign.nav')}
      </h2>
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <a href={`#${entry.id}`}>{entry.label}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
