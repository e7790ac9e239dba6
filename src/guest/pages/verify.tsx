import { formatDay, formatInstant } from '@/shared/guest-text/format';
import { getGuestTranslator, type TranslateFunction } from '@/shared/guest-text/translate';
import { GuestPageHtmlDocument } from '../components/document';
import { Icon, type IconName } from '../components/icons';
import { FormattedHash } from '../components/text';
import { renderElementToHtml } from '../render';
import {
  type CertificateCheckState,
  type CertificateVerificationVerdict,
  getCertificateCheckStates,
  getCertificateVerificationVerdict,
} from '../verdict';
import type { VerifyPageModel } from '../view-models';

const VERDICT_ICONS: Readonly<Record<CertificateVerificationVerdict, IconName>> = {
  ok: 'shield',
  pending: 'clock',
  bad: 'cross',
  redacted: 'minus',
};
const CHECK_ICONS: Readonly<Record<CertificateCheckState, IconName>> = {
  good: 'check',
  bad: 'cross',
  wait: 'clock',
  none: 'minus',
};

/** Renders the verification page, `/verify/<verify_token>`, for anyone who has the token. */
export async function renderVerifyPage(model: VerifyPageModel): Promise<string> {
  return renderElementToHtml(<VerifyPage model={model} t={getGuestTranslator(model.locale)} />);
}

function VerifyPage({ model, t }: { model: VerifyPageModel; t: TranslateFunction }) {
  const verdict = getCertificateVerificationVerdict(model);
  const pdf_sha256 = 'pdf_sha256' in model.seal ? model.seal.pdf_sha256 : null;
  return (
    <GuestPageHtmlDocument model={model} brand={model.brand} title={t('verify.page_title')} t={t} personal={false}>
      <div className="narrow">
        <div className={`hero hero-state verdict verdict-${verdict}`}>
          <span className="seal">
            <Icon name={VERDICT_ICONS[verdict]} />
          </span>
          <h1>{t(`verify.${verdict}.title`)}</h1>
          <p className="lead">{t(`verify.${verdict}.body`)}</p>
        </div>
        <div className="stack">
          <Details model={model} t={t} />
          <CheckList model={model} t={t} />
          {pdf_sha256 && verdict !== 'redacted' ? <DropZone pdf_sha256={pdf_sha256} t={t} /> : null}
        </div>
      </div>
    </GuestPageHtmlDocument>
  );
}

function Details({ model, t }: { model: VerifyPageModel; t: TranslateFunction }) {
  const at = (iso: string) => <time dateTime={iso}>{formatInstant(iso, model.locale, model.timezone)}</time>;
  const pdf_sha256 = 'pdf_sha256' in model.seal ? model.seal.pdf_sha256 : null;
  return (
    <section className="card" aria-labelledby="details-title">
      <h2 id="details-title">{t('verify.details')}</h2>
      <dl className="pairs pairs-wide">
        {model.brand ? (
          <div>
            <dt>{t('verify.property')}</dt>
            <dd dir="auto">{model.brand.property_name}</dd>
          </div>
        ) : null}
        <div>
          <dt>{t('verify.signed_at')}</dt>
          <dd>{at(model.signed_at)}</dd>
        </div>
        {model.masked_name ? (
          <div>
            <dt>{t('verify.name')}</dt>
            <dd>
              <bdi>{model.masked_name}</bdi>
              <span className="fee-note">{t('verify.name_note')}</span>
            </dd>
          </div>
        ) : null}
        {model.redacted_at ? (
          <div>
            <dt>{t('verify.redacted_on')}</dt>
            <dd>{at(model.redacted_at)}</dd>
          </div>
        ) : null}
        {model.content_hash ? (
          <div>
            <dt>{t('copy.content_hash')}</dt>
            <dd>
              <FormattedHash value={model.content_hash} />
            </dd>
          </div>
        ) : null}
        {pdf_sha256 ? (
          <div>
            <dt>{t('copy.pdf_hash')}</dt>
            <dd>
              <FormattedHash value={pdf_sha256} />
            </dd>
          </div>
        ) : null}
      </dl>
      {model.seal.state === 'sealed' ? <Sealer seal={model.seal} locale={model.locale} t={t} /> : null}
      {model.log.state === 'included' ? <LogEntry log={model.log} t={t} /> : null}
    </section>
  );
}

/**
 * Shows the certificate that sealed the file, for visitors who know its fingerprint from another
 * source.
 */
function Sealer({
  seal,
  locale,
  t,
}: {
  seal: Extract<VerifyPageModel['seal'], { state: 'sealed' }>;
  locale: VerifyPageModel['locale'];
  t: TranslateFunction;
}) {
  const { fingerprint_sha256, valid_from, valid_to } = seal.sealer;
  const day = (iso: string) => formatDay(iso.slice(0, 10), locale, 'long');
  return (
    <dl className="pairs pairs-wide">
      <div>
        <dt>{t('verify.sealer')}</dt>
        <dd>
          <FormattedHash value={fingerprint_sha256} />
          <span className="fee-note">{t('verify.sealer_note', { from: day(valid_from), to: day(valid_to) })}</span>
          <a href={seal.pem_url}>{t('verify.sealer_all')}</a>
        </dd>
      </div>
    </dl>
  );
}

/** Shows the file's position in the public log, with links to its proof and a checkpoint. */
function LogEntry({ log, t }: { log: Extract<VerifyPageModel['log'], { state: 'included' }>; t: TranslateFunction }) {
  return (
    <dl className="pairs pairs-wide">
      <div>
        <dt>{t('verify.log.title')}</dt>
        <dd>
          #{log.number}
          <span className="fee-note">
            <a href={log.proof_url}>{t('verify.log.proof')}</a>
            {' · '}
            <a href={log.checkpoint_url}>{t('verify.log.checkpoint')}</a>
          </span>
        </dd>
      </div>
    </dl>
  );
}

function CheckList({ model, t }: { model: VerifyPageModel; t: TranslateFunction }) {
  const checks = getCertificateCheckStates(model);
  const { seal, chain } = model;
  const rows = [
    {
      state: checks.content,
      label: t('verify.content.title'),
      text: contentText(model, t),
    },
    {
      state: checks.chain,
      label: t('verify.chain.title'),
      text:
        chain.state === 'intact'
          ? [
              t('verify.chain.intact', { count: chain.entries }),
              chain.sealed !== null &&
                chain.sealed < chain.entries &&
                t('verify.chain.sealed', { count: chain.sealed }),
            ]
              .filter(Boolean)
              .join(' ')
          : t('verify.chain.broken', { entry: chain.entry }),
    },
    { state: checks.seal, label: t('verify.seal.title'), text: sealText(seal, model, t) },
    { state: checks.log, label: t('verify.log.title'), text: logText(model.log, t) },
  ];
  return (
    <section className="card" aria-labelledby="checks-title">
      <h2 id="checks-title">{t('verify.checks')}</h2>
      <ul className="checks">
        {rows.map((row) => (
          <li key={row.label} className={`is-${row.state}`}>
            <span className="check-icon">
              <Icon name={CHECK_ICONS[row.state]} />
            </span>
            <div>
              <h3>{row.label}</h3>
              {row.text ? <p className="quiet">{row.text}</p> : null}
            </div>
            <span className="badge">{t(`verify.state.${row.state}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function contentText(model: VerifyPageModel, t: TranslateFunction): string {
  if (model.differences.length === 0) return t(`verify.content.${model.content_state}`);
  return t('verify.content.differs', { columns: model.differences.slice(0, 10).join(', ') });
}

function sealText(seal: VerifyPageModel['seal'], model: VerifyPageModel, t: TranslateFunction): string {
  if (seal.state !== 'sealed') return t(`verify.seal.${seal.state}`);
  const at = (iso: string) => formatInstant(iso, model.locale, model.timezone);
  const sealed = t('verify.seal.sealed', { date: at(seal.sealed_at) });
  const { timestamp } = seal;
  if (!timestamp) return `${sealed} ${t('verify.timestamp.none')}`;
  const { authority, time, trust } = timestamp;
  return `${sealed} ${t(`verify.timestamp.${trust}`, { authority, date: at(time) })}`;
}

const logText = (log: VerifyPageModel['log'], t: TranslateFunction): string =>
  log.state === 'included' ? t('verify.log.included', { number: log.number }) : t(`verify.log.${log.state}`);

/**
 * A drop zone for the visitor's own file. The browser hashes the file and compares the hash,
 * without uploading the file.
 */
function DropZone({ pdf_sha256, t }: { pdf_sha256: string; t: TranslateFunction }) {
  return (
    <section className="card" aria-labelledby="drop-title">
      <h2 id="drop-title">{t('verify.drop.title')}</h2>
      <p>{t('verify.drop.body')}</p>
      <noscript>
        <p className="quiet">{t('verify.drop.noscript')}</p>
      </noscript>
      <div
        className="drop js-only"
        data-drop={pdf_sha256}
        data-working={t('verify.drop.working')}
        data-match={t('verify.drop.match')}
        data-differs={t('verify.drop.differs')}
        data-failed={t('verify.drop.failed')}
      >
        <input className="file-input" id="pdf" type="file" accept="application/pdf,.pdf" />
        <label className="button button-primary" htmlFor="pdf">
          {t('verify.drop.choose')}
        </label>
        <span className="quiet">{t('verify.drop.or')}</span>
      </div>
      <div className="drop-result" role="status" data-drop-result>
        <p className="drop-verdict" />
        <p className="quiet" hidden>
          {t('verify.drop.fingerprint')} <code className="hash" />
        </p>
      </div>
    </section>
  );
}
