/** The first page: who signed what and when, and how to verify it. */
import { Link } from '@react-pdf/renderer';
import type { ConsentStatement } from '@/modules/snapshot/snapshot';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { formatSenderLine } from '@/shared/guest-text/sender';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import { getGuestFileHashes } from '../seal/guest-files.rules';
import type { CertificateInput } from '../types';
import { formatDay, formatInstantDay, formatInZone, formatUtc } from './format';
import type { UsableImage } from './images';
import { Image, View } from './primitives';
import { styles } from './styles';
import { DocumentText, LabelledFact, TitledBlock, VerbatimText } from './text';
import type { DocumentTranslator } from './words';

export interface DocumentContext {
  input: CertificateInput;
  words: DocumentTranslator;
  /** Whether the seal will contain a timestamp from an authority. */
  timestamped: boolean;
  /** The messages of the guest pages, in the guest's language. */
  t: TranslateFunction;
  /** The language of the guest pages. */
  locale: GuestLocale;
  brand: string;
  logo: UsableImage | null;
  drawn_signature: UsableImage | null;
  /** The QR code of the verification URL, as PNG. */
  qr: Buffer;
}

export function CoverPage({ context }: { context: DocumentContext }) {
  const { input, words, locale } = context;
  const { snapshot, signer } = input;
  const { property, reservation } = snapshot;
  return (
    <>
      <Masthead context={context} />
      <DocumentText style={styles.title}>{words('document_title')}</DocumentText>
      <DocumentText style={styles.lead}>
        {words('lead', {
          name: signer.typed_name,
          property: property.name,
          checkin: formatDay(reservation.checkin_date, locale),
          checkout: formatDay(reservation.checkout_date, locale),
          date: formatInstantDay(signer.signed_at, locale, property.timezone),
        })}
      </DocumentText>
      <AgreedStatement title={words('acknowledgement')} statement={snapshot.acknowledgement} context={context} />
      <View style={styles.panels} wrap={false}>
        <SignaturePanel context={context} />
        <VerifyPanel context={context} />
      </View>
      <SignerFacts context={context} />
      <Acceptances context={context} />
      <AgreedStatement title={words('consent')} statement={snapshot.consent} context={context} />
    </>
  );
}

function Masthead({ context: { input, words, logo } }: { context: DocumentContext }) {
  const { property } = input.snapshot;
  return (
    <View style={styles.masthead}>
      {logo && <Image style={styles.logo} src={logo} />}
      <View style={styles.mastheadText}>
        <DocumentText style={styles.propertyName} column="half">
          {property.name}
        </DocumentText>
        {property.address && (
          <DocumentText style={styles.small} column="half">
            {property.address}
          </DocumentText>
        )}
      </View>
      <View style={styles.mastheadId}>
        <DocumentText style={styles.label}>{words('certificate')}</DocumentText>
        <DocumentText style={styles.mono} column="half">
          {input.certificate_id}
        </DocumentText>
      </View>
    </View>
  );
}

function SignaturePanel({ context: { input, words, drawn_signature } }: { context: DocumentContext }) {
  const { signer } = input;
  return (
    <View style={[styles.panel, styles.signaturePanel]}>
      <DocumentText style={styles.label}>{words('signature')}</DocumentText>
      <View>
        <View style={styles.signatureLine}>
          {drawn_signature ? (
            <Image style={styles.signatureImage} src={drawn_signature} />
          ) : (
            <DocumentText
              style={[styles.signatureText, { fontSize: signatureSize(signer.typed_name) }]}
              column="narrow"
            >
              {signer.typed_name}
            </DocumentText>
          )}
        </View>
        <DocumentText style={styles.strong} column="half">
          {words('signed_by', { name: signer.typed_name })}
        </DocumentText>
        <DocumentText style={styles.small}>{formatUtc(signer.signed_at)}</DocumentText>
      </View>
    </View>
  );
}

/**
 * Returns the font size of the signature. Longer names are smaller, so that they fit on two lines.
 */
const signatureSize = (name: string) => (name.length <= 28 ? 21 : name.length <= 60 ? 15 : 10);

function VerifyPanel({ context: { input, words, qr } }: { context: DocumentContext }) {
  return (
    <View style={[styles.panel, styles.verifyPanel]}>
      <DocumentText style={[styles.label, styles.verifyLabel]}>{words('verify')}</DocumentText>
      <Image style={styles.qr} src={{ data: qr, format: 'png' }} />
      <Link src={input.verify_url} style={styles.link}>
        <DocumentText style={[styles.mono, { fontSize: 6.5, textAlign: 'center' }]} column="half">
          {input.verify_url}
        </DocumentText>
      </Link>
    </View>
  );
}

function SignerFacts({ context: { input, words, locale } }: { context: DocumentContext }) {
  const { snapshot, signer } = input;
  const { property, reservation } = snapshot;
  const sender = formatSenderLine(snapshot.sender);
  const { photo_sha256, drawn_signature_sha256 } = getGuestFileHashes(input);
  const { damaged = [] } = signer;
  const email = reservation.guest_email ?? words('email_unknown');
  const local = formatInZone(signer.signed_at, locale, property.timezone);
  const stay = `${formatDay(reservation.checkin_date, locale)} – ${formatDay(reservation.checkout_date, locale)}`;
  return (
    <>
      <View style={styles.headingSpace} minPresenceAhead={60}>
        <DocumentText style={styles.heading}>{words('signer_section')}</DocumentText>
      </View>
      <View style={styles.facts}>
        {sender && (
          <LabelledFact label={words('host')} wide>
            <DocumentText>{sender}</DocumentText>
          </LabelledFact>
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
        <LabelledFact label={words('device')} wide>
          <DocumentText>{signer.user_agent ?? words('unknown')}</DocumentText>
        </LabelledFact>
        <LabelledFact label={words('content_hash')} wide>
          <DocumentText style={styles.mono}>{input.content_hash}</DocumentText>
        </LabelledFact>
        {photo_sha256 && (
          <LabelledFact label={words('photo_hash')} wide>
            <DocumentText style={styles.mono}>{photo_sha256}</DocumentText>
          </LabelledFact>
        )}
        {(drawn_signature_sha256 || damaged.includes('drawn_signature')) && (
          <LabelledFact label={words('drawing_hash')} wide>
            {drawn_signature_sha256 && <DocumentText style={styles.mono}>{drawn_signature_sha256}</DocumentText>}
            {damaged.includes('drawn_signature') && <DocumentText>{words('damaged')}</DocumentText>}
          </LabelledFact>
        )}
      </View>
    </>
  );
}

const confirmation = ({ email_code }: CertificateInput['signer'], words: DocumentTranslator) =>
  email_code
    ? words('email_confirmed_at', { address: email_code.sent_to, time: formatUtc(email_code.confirmed_at) })
    : words('email_confirmed');

function AgreedStatement(props: { title: string; statement: ConsentStatement; context: DocumentContext }) {
  const { title, statement, context } = props;
  const wording = context.words('wording_version', { version: statement.version });
  return (
    <TitledBlock title={title}>
      <VerbatimText color={context.brand}>{statement.text}</VerbatimText>
      <DocumentText style={styles.wording}>{`${wording} · ${statement.locale}`}</DocumentText>
    </TitledBlock>
  );
}

/** Renders the clauses that the guest accepted separately, with the time from the trail. */
function Acceptances({ context: { input, words, brand } }: { context: DocumentContext }) {
  const { acceptances = [] } = input.snapshot;
  if (acceptances.length === 0) return null;
  const timeOf = (name: string) =>
    input.trail.find(({ type, data }) => type === 'acceptance.given' && data.acceptance === name)?.created_at;
  return (
    <TitledBlock title={words('acceptances')}>
      {acceptances.map(({ name, version, locale, text }) => (
        <View key={name} style={styles.row} wrap={false}>
          <View style={styles.grow}>
            <VerbatimText color={brand}>{text}</VerbatimText>
            <DocumentText style={styles.wording}>
              {[
                words('accepted_at', { time: formatUtc(timeOf(name) ?? input.signer.signed_at) }),
                words('wording_version', { version }),
                locale,
              ].join(' · ')}
            </DocumentText>
          </View>
        </View>
      ))}
    </TitledBlock>
  );
}

function TextFact({ label, children }: { label: string; children: string }) {
  return (
    <LabelledFact label={label}>
      <DocumentText column="half">{children}</DocumentText>
    </LabelledFact>
  );
}
