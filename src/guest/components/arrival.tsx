import type { ArrivalDetailGroupName, ArrivalDetailGroupView } from '@/modules/signing/packet-view';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import { Icon } from './icons';
import { HostWrittenText, PacketItemChangeBadge, TextChangeBadge } from './text';

/**
 * The arrival details. A released group is shown in full. A withheld group shows only its name and
 * when it will be released.
 */
export function ArrivalDetailsSection({
  groups,
  removed = [],
  t,
}: {
  groups: ArrivalDetailGroupView[];
  removed?: ArrivalDetailGroupName[];
  t: TranslateFunction;
}) {
  if (groups.length === 0 && removed.length === 0) return null;
  return (
    <section className="card" id="arrival" aria-labelledby="arrival-title">
      <h2 id="arrival-title">{t('arrival.title')}</h2>
      <ul className="arrival">
        {groups.map((group) => (
          <li key={group.group} className={group.state === 'held' ? 'held' : undefined}>
            <Icon name={group.group} />
            <div>
              <h3>
                {t(`arrival.${group.group}`)} <PacketItemChangeBadge change={group.change} t={t} />
              </h3>
              <Content group={group} t={t} />
            </div>
          </li>
        ))}
        {removed.map((group) => (
          <li key={group}>
            <Icon name={group} />
            <h3>
              <del>{t(`arrival.${group}`)}</del> <strong className="mark mark-removed">{t('changed.removed')}</strong>
            </h3>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Content({ group, t }: { group: ArrivalDetailGroupView; t: TranslateFunction }) {
  if (group.state === 'held') {
    return (
      <p className="quiet held-note">
        <Icon name="lock" /> {t(group.until === 'signing' ? 'arrival.held_signing' : 'arrival.held_host')}
      </p>
    );
  }
  if (group.group === 'wifi') {
    return (
      <dl className="pairs">
        <div>
          <dt>{t('arrival.wifi_network')}</dt>
          <dd>
            <code translate="no" dir="ltr">
              {group.network}
            </code>
          </dd>
        </div>
        {group.password ? (
          <div>
            <dt>{t('arrival.wifi_password')}</dt>
            <dd>
              <code translate="no" dir="ltr">
                {group.password}
              </code>
            </dd>
          </div>
        ) : null}
      </dl>
    );
  }
  if (group.group === 'door_code') {
    return (
      <p>
        <code className="door-code" translate="no" dir="ltr">
          {group.text}
        </code>
      </p>
    );
  }
  return <HostWrittenText text={group.text} />;
}

/** The safety details. Every page of a stay shows them, whatever the stay's state. */
export function SafetySection({
  text,
  changed = false,
  t,
}: {
  text: string | null;
  changed?: boolean;
  t: TranslateFunction;
}) {
  if (!text?.trim() && !changed) return null;
  return (
    <section className="card safety" id="safety" aria-labelledby="safety-title">
      <h2 id="safety-title">
        <Icon name="shield" /> {t('safety.title')} <TextChangeBadge text={text} changed={changed} t={t} />
      </h2>
      <p className="quiet">{t('safety.note')}</p>
      {text ? <HostWrittenText text={text} /> : null}
    </section>
  );
}
