/**
 * The certificate's design on A4, in PDF points. The text is dark on white, so that it stays
 * legible in a fax.
 */
import { StyleSheet } from '@react-pdf/renderer';
import { BODY_FONT, MONO_FONT } from './fonts';

export const INK_COLOR = '#161a21';
const MUTED = '#545d6a';
const HAIRLINE = '#dfe3e8';
const PANEL = '#f6f7f9';
export const DEFAULT_CERTIFICATE_BRAND_COLOR = '#1f2a44';

export const PAGE_MARGIN_PT = 46;

export const documentStyles = StyleSheet.create({
  page: {
    paddingTop: 44,
    paddingBottom: 56,
    paddingHorizontal: PAGE_MARGIN_PT,
    fontSize: 9.5,
    lineHeight: 1.45,
    color: INK_COLOR,
    fontFamily: BODY_FONT,
  },
  bar: { position: 'absolute', top: 0, left: 0, right: 0, height: 7 },
  testBand: {
    position: 'absolute',
    top: 14,
    left: PAGE_MARGIN_PT,
    right: PAGE_MARGIN_PT,
    textAlign: 'center',
    fontSize: 8,
    fontWeight: 700,
    color: '#a11b1b',
  },
  footer: {
    position: 'absolute',
    left: PAGE_MARGIN_PT,
    right: PAGE_MARGIN_PT,
    // Positioned from the top, because on wrapped pages the renderer drops absolute nodes that are
    // positioned from the bottom.
    top: 802,
    paddingTop: 6,
    borderTopWidth: 0.6,
    borderTopColor: HAIRLINE,
    flexDirection: 'row',
    fontSize: 7,
    color: MUTED,
  },
  // The width is fixed because the renderer drops centered and right-aligned lines without a width.
  footerPart: { width: '33.3%' },
  verifyLabel: { width: '100%', textAlign: 'center' },

  masthead: { flexDirection: 'row', alignItems: 'center', gap: 14, marginBottom: 22 },
  logo: { maxWidth: 120, maxHeight: 44, objectFit: 'contain' },
  mastheadText: { flexGrow: 1, flexShrink: 1, flexBasis: 0 },
  propertyName: { fontSize: 13, fontWeight: 700, lineHeight: 1.25 },
  mastheadId: { width: 170, textAlign: 'right' },
  title: { fontSize: 25, fontWeight: 700, lineHeight: 1.15, marginBottom: 8 },
  lead: { fontSize: 11.5, lineHeight: 1.5 },

  panels: { flexDirection: 'row', gap: 14, marginTop: 14, marginBottom: 8 },
  panel: { borderWidth: 0.6, borderColor: HAIRLINE, borderRadius: 6, backgroundColor: PANEL, padding: 12 },
  signaturePanel: { flexGrow: 1, flexShrink: 1, flexBasis: 0, justifyContent: 'space-between' },
  signatureLine: {
    borderBottomWidth: 0.8,
    borderBottomColor: INK_COLOR,
    paddingBottom: 4,
    marginTop: 10,
    marginBottom: 6,
  },
  signatureText: { fontStyle: 'italic', lineHeight: 1.25 },
  signatureImage: { height: 56, objectFit: 'contain', objectPosition: '0% 100%' },
  verifyPanel: { width: 176, alignItems: 'center' },
  qr: { width: 92, height: 92, marginTop: 6, marginBottom: 8 },

  label: { fontSize: 7.5, color: MUTED, fontWeight: 600, lineHeight: 1.3 },
  small: { fontSize: 7.5, color: MUTED, lineHeight: 1.4 },
  wording: { fontSize: 7.5, color: MUTED, paddingLeft: 12, marginTop: 2 },
  muted: { color: MUTED },
  strong: { fontWeight: 600 },
  mono: { fontFamily: MONO_FONT, fontSize: 7.5, lineHeight: 1.4 },
  link: { color: INK_COLOR, textDecoration: 'none' },

  facts: { flexDirection: 'row', flexWrap: 'wrap', rowGap: 7, columnGap: 18 },
  fact: { width: '47%' },
  factWide: { width: '100%' },

  sectionStart: { marginTop: 26 },
  sectionTitle: { fontSize: 16, fontWeight: 700, lineHeight: 1.25, marginBottom: 4 },
  sectionIntro: { fontSize: 8.5, color: MUTED, marginBottom: 12 },
  headingSpace: { marginTop: 14 },
  heading: { fontSize: 11.5, fontWeight: 700, lineHeight: 1.3, marginBottom: 6 },
  subheading: { fontSize: 9, fontWeight: 700, lineHeight: 1.3, marginTop: 7, marginBottom: 4 },
  paragraph: { marginBottom: 6 },
  prose: { borderLeftWidth: 2, paddingLeft: 10 },

  row: { flexDirection: 'row', gap: 8, paddingVertical: 3.5 },
  ruledRow: {
    flexDirection: 'row',
    gap: 10,
    paddingVertical: 6,
    borderBottomWidth: 0.6,
    borderBottomColor: HAIRLINE,
  },
  number: { width: 24, color: MUTED, textAlign: 'right' },
  grow: { flexGrow: 1, flexShrink: 1, flexBasis: 0 },
  when: { width: 110, fontSize: 8.5, color: MUTED },
  amount: { width: 118, textAlign: 'right' },

  trailWhen: { width: 132, paddingTop: 2 },
});
