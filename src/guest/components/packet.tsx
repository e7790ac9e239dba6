import type { FeeView, HouseRuleView, PreviousFee } from '@/modules/signing/packet-view';
import { formatMoney } from '@/shared/guest-text/format';
import {
  describeFeeTiming,
  getFeeApplicability,
  getFeeUnitLabel,
  groupRulesByCategory,
} from '@/shared/guest-text/labels';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import { HostWrittenSingleLineText, HostWrittenText, PacketItemChangeBadge, TextChangeBadge } from './text';

/** The section with the host's welcome message. */
export function WelcomeSection({ text, changed, t }: { text: string | null; changed: boolean; t: TranslateFunction }) {
  if (!text?.trim() && !changed) return null;
  return (
    <section className="card" id="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">
        {t('welcome.title')} <TextChangeBadge text={text} changed={changed} t={t} />
      </h2>
      {text ? <HostWrittenText text={text} /> : null}
    </section>
  );
}

/** The section with the rules by category. */
export function RulesSection({
  rules,
  removed,
  t,
}: {
  rules: HouseRuleView[];
  removed: string[];
  t: TranslateFunction;
}) {
  const groups = groupRulesByCategory(rules, t);
  return (
    <section className="card" id="rules" aria-labelledby="rules-title">
      <h2 id="rules-title">{t('rules.title')}</h2>
      {groups.length === 0 ? <p className="quiet">{t('rules.none')}</p> : null}
      {groups.map((group) => (
        <div className="rule-group" key={group.label}>
          {groups.length > 1 || group.label !== t('rules.general') ? (
            <h3>
              <bdi>{group.label}</bdi>
            </h3>
          ) : null}
          <ul className="rules">
            {group.rules.map((rule) => (
              <li key={rule.id} className={rule.change ? 'is-changed' : undefined}>
                <PacketItemChangeBadge change={rule.change} t={t} /> <HostWrittenSingleLineText text={rule.text} />
                <Before text={rule.before} t={t} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Removed texts={removed} t={t} />
    </section>
  );
}

/** The section with the fees in three groups: mandatory, conditional and unspecified. */
export function FeesSection({
  fees,
  currency,
  removed,
  locale,
  t,
}: {
  fees: FeeView[];
  currency: string;
  removed: PreviousFee[];
  locale: GuestLocale;
  t: TranslateFunction;
}) {
  const classes = (['mandatory', 'conditional', 'unspecified'] as const)
    .map((name) => ({ name, fees: fees.filter((fee) => getFeeApplicability(fee.type) === name) }))
    .filter((group) => group.fees.length > 0);
  return (
    <section className="card" id="fees" aria-labelledby="fees-title">
      <h2 id="fees-title">{t('fees.title')}</h2>
      <p className="quiet">{classes.length === 0 ? t('fees.none') : t('fees.intro')}</p>
      {classes.map((group) => (
        <div key={group.name}>
          <h3>{group.fees[0]?.heading ?? t(`fees.${group.name}`)}</h3>
          <ul className="fees">
            {group.fees.map((fee) => (
              <Fee key={fee.id} fee={fee} currency={currency} locale={locale} t={t} />
            ))}
          </ul>
        </div>
      ))}
      <Removed texts={removed.map((fee) => feeText(fee, locale))} t={t} />
    </section>
  );
}

const feeText = ({ label, amount_cents, currency }: PreviousFee, locale: GuestLocale) =>
  `${label} · ${formatMoney(amount_cents, currency, locale)}`;

/** Shows the previous version of a changed text. */
function Before({ text, t }: { text: string | null | undefined; t: TranslateFunction }) {
  return text ? (
    <span className="fee-note">
      {t('changed.before')} <del dir="auto">{text}</del>
    </span>
  ) : null;
}

function Fee({
  fee,
  currency,
  locale,
  t,
}: {
  fee: FeeView;
  currency: string;
  locale: GuestLocale;
  t: TranslateFunction;
}) {
  const { unit_label: unit = getFeeUnitLabel(fee.unit, t), when = describeFeeTiming(fee, t) } = fee;
  return (
    <li className={fee.change ? 'is-changed' : undefined}>
      <div className="fee-what">
        <span className="fee-label">
          <PacketItemChangeBadge change={fee.change} t={t} /> <bdi>{fee.label}</bdi>
        </span>
        <Before text={fee.before && feeText(fee.before, locale)} t={t} />
        {when ? <span className="fee-note">{when}</span> : null}
        {fee.description ? (
          <span className="fee-note">
            <HostWrittenSingleLineText text={fee.description} />
          </span>
        ) : null}
      </div>
      <div className="fee-amount">
        <span className="amount">{formatMoney(fee.amount_cents, currency, locale)}</span>
        {unit ? <span className="fee-note">{unit}</span> : null}
      </div>
    </li>
  );
}

function Removed({ texts, t }: { texts: string[]; t: TranslateFunction }) {
  if (texts.length === 0) return null;
  return (
    <ul className="removed">
      {texts.map((text) => (
        <li key={text}>
          <strong className="mark mark-removed">{t('changed.removed')}</strong> <del dir="auto">{text}</del>
        </li>
      ))}
    </ul>
  );
}
