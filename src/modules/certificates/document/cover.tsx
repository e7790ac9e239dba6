/** The first page: who signed what and when, and how to verify it. */
import { Link } from '@react-pdf/renderer';
import type { ConsentStatement } from '@/modules/snapshot/snapshot';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { formatSenderLine } from '@/shared/guest-text/sender';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import { getGuestFileHashes } from '../seal/guest-files.rules';
import type { CertificateRenderInput } from '../types';
import { formatDay, formatDayOfInstant, formatInstantInTimeZone, formatUtc } from './format';
import type { EmbeddableImage } from './images';
import { DirectionAwareImage, DirectionAwareView } from './primitives';
import { documentStyles } from './styles';
import { DocumentText, LabelledDetail, TitledBlock, VerbatimText } from './text';
import type { DocumentTranslator } from './words';

export interface CertificateDocumentContext {
  input: CertificateRenderInput;
  words: DocumentTranslator;
  /** Whether the seal will contain a timestamp from an authority. */
  timestamped: boolean;
  /** The messages of the guest pages, in the guest's language. */
  t: TranslateFunction;
  /** The language of the guest pages. */
  locale: GuestLocale;
  brand: string;
  logo: EmbeddableImage | null;
  drawn_signature: EmbeddableImage | null;
  /** The QR code of the verification URL, as PNG. */
  qr: Buffer;
}

export function CoverPage({ context }: { context: CertificateDocumentContext }) {
  const { input, words, locale } = context;
  const { snapshot, signer } = input;
  const { property, reservation } = snapshot;
  return (
    <>
      <Masthead context={context} />
      <DocumentText style={documentStyles.title}>{words('document_title')}</DocumentText>
      <DocumentText style={documentStyles.lead}>
        {words('lead', {
          name: signer.typed_name,
          property: property.name,
          checkin: formatDay(reservation.checkin_date, locale),
          checkout: formatDay(reservation.checkout_date, locale),
          date: formatDayOfInstant(signer.signed_at, locale, property.timezone),
        })}
      </DocumentText>
      <AgreedStatement title={words('acknowledgement')} statement={snapshot.acknowledgement} context={context} />
      <DirectionAwareView style={documentStyles.panels} wrap={false}>
        <SignaturePanel context={context} />
        <VerifyPanel context={context} />
      </DirectionAwareView>
      <SignerFacts context={context} />
      <Acceptances context={context} />
      <AgreedStatement title={words('consent')} statement={snapshot.consent} context={context} />
    </>
  );
}

function Masthead({ context: { input, words, logo } }: { context: CertificateDocumentContext }) {
  const { property } = input.snapshot;
  return (
    <DirectionAwareView style={documentStyles.masthead}>
      {logo && <DirectionAwareImage style={documentStyles.logo} src={logo} />}
      <DirectionAwareView style={documentStyles.mastheadText}>
        <DocumentText style={documentStyles.propertyName} column="half">
          {property.name}
        </DocumentText>
        {property.address && (
          <DocumentText style={documentStyles.small} column="half">
            {property.address}
          </DocumentText>
        )}
      </DirectionAwareView>
      <DirectionAwareView style={documentStyles.mastheadId}>
        <DocumentText style={documentStyles.label}>{words('certificate')}</DocumentText>
        <DocumentText style={documentStyles.mono} column="half">
          {input.certificate_id}
        </DocumentText>
      </DirectionAwareView>
    </DirectionAwareView>
  );
}

function SignaturePanel({ context: { input, words, drawn_signature } }: { context: CertificateDocumentContext }) {
  const { signer } = input;
  return (
    <DirectionAwareView style={[documentStyles.panel, documentStyles.signaturePanel]}>
      <DocumentText style={documentStyles.label}>{words('signature')}</DocumentText>
      <DirectionAwareView>
        <DirectionAwareView style={documentStyles.signatureLine}>
          {drawn_signature ? (
            <DirectionAwareImage style={documentStyles.signatureImage} src={drawn_signature} />
          ) : (
            <DocumentText
              style={[documentStyles.signatureText, { fontSize: signatureSize(signer.typed_name) }]}
              column="narrow"
            >
              {signer.typed_name}
            </DocumentText>
          )}
        </DirectionAwareView>
        <DocumentText style={documentStyles.strong} column="half">
          {words('signed_by', { name: signer.typed_name })}
        </DocumentText>
        <DocumentText style={documentStyles.small}>{formatUtc(signer.signed_at)}</DocumentText>
      </DirectionAwareView>
    </DirectionAwareView>
  );
}

/**
 * Returns the font size of the signature. Longer names are smaller, so that they fit on two lines.
 */
const signatureSize = (name: string) => (name.length <= 28 ? 21 : name.length <= 60 ? 15 : 10);

function VerifyPanel({ context: { input, words, qr } }: { context: CertificateDocumentContext }) {
  return (
    <DirectionAwareView style={[documentStyles.panel, documentStyles.verifyPanel]}>
      <DocumentText style={[documentStyles.label, documentStyles.verifyLabel]}>{words('verify')}</DocumentText>
      <DirectionAwareImage style={documentStyles.qr} src={{ data: qr, format: 'png' }} />
      <Link src={input.verify_url} style={documentStyles.link}>
        <DocumentText style={[documentStyles.mono, { fontSize: 6.5, textAlign: 'center' }]} column="half">
          {input.verify_url}
        </DocumentText>
      </Link>
    </DirectionAwareView>
  );
}

function SignerFacts({ context: { input, words, locale } }: { context: CertificateDocumentContext }) {
  const { snapshot, signer } = input;
  const { property, reservation } = snapshot;
  const sender = formatSenderLine(snapshot.sender);
  const { photo_sha256, drawn_signature_sha256 } = getGuestFileHashes(input);
  const { damaged = [] } = signer;
  const email = reservation.guest_email ?? words('email_unknown');
  const local = formatInstantInTimeZone(signer.signed_at, locale, property.timezone);
  const stay = `${formatDay(reservation.checkin_date, locale)} – ${formatDay(reservation.checkout_date, locale)}`;
  return (
    <>
      <DirectionAwareView style={documentStyles.headingSpace} minPresenceAhead={60}>
        <DocumentText style={documentStyles.heading}>{words('signer_section')}</DocumentText>
      </DirectionAwareView>
      <DirectionAwareView style={documentStyles.facts}>
        {sender && (
          <LabelledDetail label={words('host')} wide>
            <DocumentText>{sender}</DocumentText>
          </LabelledDetail>
        )}
        <TextFact label={words('guest')}>{reservation.guest_name}</TextFact>
        <TextFact label={words('email')}>
          {signer.email_confirmed ? `${email} (${confirmation(signer, words)})` : email}
        </TextFact>
        <TextFact label={words('signed_utc')}>{formatUtc(signer.signed_at)}</TextFact>
        {local && <TextFact label={words('signed_local')}>{local}</TextFact>}
        <TextFact label={words('stay')}>{stay}</TextFact>
        <TextFact label={words('reservation')}>{reservation.id}</TextFact>
        {reservation.external_id && <TextFact label={words('booking_reference')}>{reservation.external_id}</TextFact>}
        <TextFact label={words('ip')}>{signer.ip ?? words('unknown')}</TextFact>
        {(photo_sha256 || damaged.includes('photo')) && (
          <TextFact label={words('photo')}>
            {damaged.includes('photo') ? words('damaged') : words('photo_taken')}
          </TextFact>
        )}
        <LabelledDetail label={words('device')} wide>
          <DocumentText>{signer.user_agent ?? words('unknown')}</DocumentText>
        </LabelledDetail>
        <LabelledDetail label={words('content_hash')} wide>
          <DocumentText style={documentStyles.mono}>{input.content_hash}</DocumentText>
        </LabelledDetail>
        {photo_sha256 && (
          <LabelledDetail label={words('photo_hash')} wide>
            <DocumentText style={documentStyles.mono}>{photo_sha256}</DocumentText>
          </LabelledDetail>
        )}
        {(drawn_signature_sha256 || damaged.includes('drawn_signature')) && (
          <LabelledDetail label={words('drawing_hash')} wide>
            {drawn_signature_sha256 && (
              <DocumentText style={documentStyles.mono}>{drawn_signature_sha256}</DocumentText>
            )}
            {damaged.includes('drawn_signature') && <DocumentText>{words('damaged')}</DocumentText>}
          </LabelledDetail>
        )}
      </DirectionAwareView>
    </>
  );
}

const confirmation = ({ email_code }: CertificateRenderInput['signer'], words: DocumentTranslator) =>
  email_code
    ? words('email_confirmed_at', { address: email_code.sent_to, time: formatUtc(email_code.confirmed_at) })
    : words('email_confirmed');

function AgreedStatement(props: { title: string; statement: ConsentStatement; context: CertificateDocumentContext }) {
  const { title, statement, context } = props;
  const wording = context.words('wording_version', { version: statement.version });
  return (
    <TitledBlock title={title}>
      <VerbatimText color={context.brand}>{statement.text}</VerbatimText>
      <DocumentText style={documentStyles.wording}>{`${wording} · ${statement.locale}`}</DocumentText>
    </TitledBlock>
  );
}

/** Renders the clauses that the guest accepted separately, with the time from the trail. */
function Acceptances({ context: { input, words, brand } }: { context: CertificateDocumentContext }) {
  const { acceptances = [] } = input.snapshot;
  if (acceptances.length === 0) return null;
  const timeOf = (name: string) =>
    input.trail.find(({ type, data }) => type === 'acceptance.given' && data.acceptance === name)?.created_at;
  return (
    <TitledBlock title={words('acceptances')}>
      {acceptances.map(({ name, version, locale, text }) => (
        <DirectionAwareView key={name} style={documentStyles.row} wrap={false}>
          <DirectionAwareView style={documentStyles.grow}>
            <VerbatimText color={brand}>{text}</VerbatimText>
            <DocumentText style={documentStyles.wording}>
              {[
                words('accepted_at', { time: formatUtc(timeOf(name) ?? input.signer.signed_at) }),
                words('wording_version', { version }),
                locale,
              ].join(' · ')}
            </DocumentText>
          </DirectionAwareView>
        </DirectionAwareView>
      ))}
    </TitledBlock>
  );
}

function TextFact({ label, children }: { label: string; children: string }) {
  return (
    <LabelledDetail label={label}>
      <DocumentText column="half">{children}</DocumentText>
    </LabelledDetail>
  );
}
