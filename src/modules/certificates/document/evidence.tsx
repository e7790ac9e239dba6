/** The audit trail, and how to verify the document. */
import { EMBEDDED_SOMEWHERE } from '@/modules/properties/embed-origins.rules';
import type { ChainedEntry } from '@/modules/trail/chain';
import { canonicalJson } from '@/shared/canonical-json';
import type { DocumentContext } from './cover';
import { formatUtc } from './format';
import { View } from './primitives';
import { styles } from './styles';
import { Copy, Fact } from './text';
import { trailTypeLabel } from './words';

export function Evidence({ context }: { context: DocumentContext }) {
  const { input, words, timestamped } = context;
  return (
    <>
      <View style={styles.sectionStart} minPresenceAhead={110}>
        <Copy style={styles.sectionTitle}>{words('trail_section')}</Copy>
        <Copy style={styles.sectionIntro}>{words('trail_intro')}</Copy>
      </View>
      {input.trail.map((entry) => (
        <TrailRow key={entry.seq} entry={entry} context={context} />
      ))}
      <View style={styles.headingSpace} wrap={false}>
        <Copy style={styles.heading}>{words('integrity_section')}</Copy>
        <Copy style={styles.paragraph}>{words('verify_hint')}</Copy>
        <Copy style={styles.paragraph}>{words('integrity_seal')}</Copy>
        <Copy style={styles.paragraph}>{words('integrity_attachments')}</Copy>
        <Copy style={styles.paragraph}>{timestamped ? words('times_stamped') : words('times_own')}</Copy>
        <View style={styles.facts}>
          <Fact label={words('content_hash')} wide>
            <Copy style={styles.mono}>{input.content_hash}</Copy>
          </Fact>
          <Fact label={words('trail_head')} wide>
            <Copy style={styles.mono}>{input.trail.at(-1)?.hash ?? ''}</Copy>
          </Fact>
          <Fact label={words('sealed_at')} wide>
            <Copy>{formatUtc(input.sealed_at)}</Copy>
          </Fact>
          <Fact label={words('verify')} wide>
            <Copy style={styles.mono}>{input.verify_url}</Copy>
          </Fact>
        </View>
      </View>
    </>
  );
}

function TrailRow({ entry, context: { words } }: { entry: ChainedEntry; context: DocumentContext }) {
  const origin = [entry.actor, entry.ip].filter(Boolean).join(' · ');
  const { embedded_in } = entry.data;
  const has_data = Object.keys(entry.data).length > 0;
  return (
    <View style={styles.ruledRow} wrap={false}>
      <Copy style={[styles.number, { width: 18 }]}>{String(entry.seq)}</Copy>
      <Copy style={[styles.mono, styles.trailWhen]}>{formatUtc(entry.created_at)}</Copy>
      <View style={styles.grow}>
        <Copy style={styles.strong} column="half">
          {trailTypeLabel(entry.type, words)}
        </Copy>
        {origin !== '' && (
          <Copy style={styles.small} column="half">
            {origin}
          </Copy>
        )}
        {entry.user_agent && (
          <Copy style={styles.small} column="half">
            {entry.user_agent}
          </Copy>
        )}
        {typeof embedded_in === 'string' && (
          <Copy style={styles.small} column="half">
            {words('embedded_in', { origin: embedded_in === EMBEDDED_SOMEWHERE ? words('unknown') : embedded_in })}
          </Copy>
        )}
        {has_data && (
          <Copy style={[styles.mono, { fontSize: 6.5 }]} column="half">
            {shorten(canonicalJson(entry.data), 400)}
          </Copy>
        )}
        <Copy style={[styles.mono, styles.muted, { fontSize: 6.5 }]}>{entry.hash}</Copy>
      </View>
    </View>
  );
}

/** Shortens a text so that a row fits on a page. The attached trail contains the full text. */
const shorten = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);
