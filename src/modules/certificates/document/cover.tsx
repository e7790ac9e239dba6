/** The first page: who signed what and when, and how to verify it. */
import { Link } from '@react-pdf/renderer';
import type { Statement } from '@/modules/snapshot/snapshot';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { senderLine } from '@/shared/guest-text/sender';
import type { Translate } from '@/shared/guest-text/translate';
import { guestFileHashes } from '../seal/guest-files.rules';
import type { CertificateInput } from '../types';
import { formatDay, formatInstantDay, formatInZone, formatUtc } from './format';
import type { UsableImage } from './images';
import { Image, View } from './primitives';
import { styles } from './styles';
import { Block, Copy, Fact, Prose } from './text';
import type { Words } from './words';

export interface DocumentContext {
  input: CertificateInput;
  words: Words;
  /** Whether the seal will contain a timestamp from an authority. */
  timestamped: boolean;
  /** The messages of the guest pages, in the guest's language. */
  t: Translate;
  /** The language of the guest pages. */
  locale: GuestLocale;
  brand: string;
  logo: UsableImage | null;
  drawn_signature: UsableImage | null;
  /** The QR code of the verification URL, as PNG. */
  qr: Buffer;
}

export function Cover({ context }: { context: DocumentContext }) {
  const { input, words, locale } = context;
  const { snapshot, signer } = input;
  const { property, reservation } = snapshot;
  return (
    <>
      <Masthead context={context} />
      <Copy style={styles.title}>{words('document_title')}</Copy>
      <Copy style={styles.lead}>
        {words('lead', {
          name: signer.typed_name,
          property: property.name,
          checkin: formatDay(reservation.checkin_date, locale),
          checkout: formatDay(reservation.checkout_date, locale),
          date: formatInstantDay(signer.signed_at, locale, property.timezone),
        })}
      </Copy>
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
        <Copy style={styles.propertyName} column="half">
          {property.name}
        </Copy>
        {property.address && (
          <Copy style={styles.small} column="half">
            {property.address}
          </Copy>
        )}
      </View>
      <View style={styles.mastheadId}>
        <Copy style={styles.label}>{words('certificate')}</Copy>
        <Copy style={styles.mono} column="half">
          {input.certificate_id}
        </Copy>
      </View>
    </View>
  );
}

function SignaturePanel({ context: { input, words, drawn_signature } }: { context: DocumentContext }) {
  const { signer } = input;
  return (
    <View style={[styles.panel, styles.signaturePanel]}>
      <Copy style={styles.label}>{words('signature')}</Copy>
      <View>
        <View style={styles.signatureLine}>
          {drawn_signature ? (
            <Image style={styles.signatureImage} src={drawn_signature} />
          ) : (
            <Copy style={[styles.signatureText, { fontSize: signatureSize(signer.typed_name) }]} column="narrow">
              {signer.typed_name}
            </Copy>
          )}
        </View>
        <Copy style={styles.strong} column="half">
          {words('signed_by', { name: signer.typed_name })}
        </Copy>
        <Copy style={styles.small}>{formatUtc(signer.signed_at)}</Copy>
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
      <Copy style={[styles.label, styles.verifyLabel]}>{words('verify')}</Copy>
      <Image style={styles.qr} src={{ data: qr, format: 'png' }} />
      <Link src={input.verify_url} style={styles.link}>
        <Copy style={[styles.mono, { fontSize: 6.5, textAlign: 'center' }]} column="half">
          {input.verify_url}
        </Copy>
      </Link>
    </View>
  );
}

function SignerFacts({ context: { input, words, locale } }: { context: DocumentContext }) {
  const { snapshot, signer } = input;
  const { property, reservation } = snapshot;
  const sender = senderLine(snapshot.sender);
  const { photo_sha256, drawn_signature_sha256 } = guestFileHashes(input);
  const { damaged = [] } = signer;
  const email = reservation.guest_email ?? words('email_unknown');
  const local = formatInZone(signer.signed_at, locale, property.timezone);
  const stay = `${formatDay(reservation.checkin_date, locale)} – ${formatDay(reservation.checkout_date, locale)}`;
  return (
    <>
      <View style={styles.headingSpace} minPresenceAhead={60}>
        <Copy style={styles.heading}>{words('signer_section')}</Copy>
      </View>
      <View style={styles.facts}>
        {sender && (
          <Fact label={words('host')} wide>
            <Copy>{sender}</Copy>
          </Fact>
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
        <Fact label={words('device')} wide>
          <Copy>{signer.user_agent ?? words('unknown')}</Copy>
        </Fact>
        <Fact label={words('content_hash')} wide>
          <Copy style={styles.mono}>{input.content_hash}</Copy>
        </Fact>
        {photo_sha256 && (
          <Fact label={words('photo_hash')} wide>
            <Copy style={styles.mono}>{photo_sha256}</Copy>
          </Fact>
        )}
        {(drawn_signature_sha256 || damaged.includes('drawn_signature')) && (
          <Fact label={words('drawing_hash')} wide>
            {drawn_signature_sha256 && <Copy style={styles.mono}>{drawn_signature_sha256}</Copy>}
            {damaged.includes('drawn_signature') && <Copy>{words('damaged')}</Copy>}
          </Fact>
        )}
      </View>
    </>
  );
}

const confirmation = ({ email_code }: CertificateInput['signer'], words: Words) =>
  email_code
    ? words('email_confirmed_at', { address: email_code.sent_to, time: formatUtc(email_code.confirmed_at) })
    : words('email_confirmed');

function AgreedStatement(props: { title: string; statement: Statement; context: DocumentContext }) {
  const { title, statement, context } = props;
  const wording = context.words('wording_version', { version: statement.version });
  return (
    <Block title={title}>
      <Prose color={context.brand}>{statement.text}</Prose>
      <Copy style={styles.wording}>{`${wording} · ${statement.locale}`}</Copy>
    </Block>
  );
}

/** Renders the clauses that the guest accepted separately, with the time from the trail. */
function Acceptances({ context: { input, words, brand } }: { context: DocumentContext }) {
  const { acceptances = [] } = input.snapshot;
  if (acceptances.length === 0) return null;
  const timeOf = (name: string) =>
    input.trail.find(({ type, data }) => type === 'acceptance.given' && data.acceptance === name)?.created_at;
  return (
    <Block title={words('acceptances')}>
      {acceptances.map(({ name, version, locale, text }) => (
        <View key={name} style={styles.row} wrap={false}>
          <View style={styles.grow}>
            <Prose color={brand}>{text}</Prose>
            <Copy style={styles.wording}>
              {[
                words('accepted_at', { time: formatUtc(timeOf(name) ?? input.signer.signed_at) }),
                words('wording_version', { version }),
                locale,
              ].join(' · ')}
            </Copy>
          </View>
        </View>
      ))}
    </Block>
  );
}

function TextFact({ label, children }: { label: string; children: string }) {
  return (
    <Fact label={label}>
      <Copy column="half">{children}</Copy>
    </Fact>
  );
}
