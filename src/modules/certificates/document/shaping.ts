/**
 * Mends what the font library cannot do with fonts of some scripts, where it throws instead of setting the text:
 * an anchor that a font leaves out (OpenType allows it, and means that nothing is attached), and a kind of lookup that
 * it cannot read. Whatever else it throws at, the text is set letter by letter: readable, if not well shaped.
 *
 * And that it keeps a glyph as it was first fetched: the “z” of a “ź” is fetched without its character, and every “z” that
 * this process sets from then on would be one that cannot be copied, searched or read aloud.
 */
import { kept } from '@/shared/kept';

interface Lookup {
  lookupType: number;
  flags: { flags: number };
  subTables: unknown[];
}
interface LookupTable {
  lookupList: { get(index: number): Lookup };
}
interface LayoutEngine {
  engine: { GPOSProcessor: object | null } | null | undefined;
}
interface Glyph {
  codePoints: number[];
}
interface ShapingFont {
  getGlyph(id: number, characters?: number[]): Glyph;
  _glyphs: Record<number, Glyph>;
  layout(...text: unknown[]): object;
  GSUB: LookupTable | null;
  GPOS: LookupTable | null;
  _layoutEngine: LayoutEngine;
}
interface AnchorProcessor {
  applyAnchor(mark: { markAnchor: unknown }, base: unknown, base_index: number): void;
}

const mended = new WeakSet<object>();
const NOTHING: Lookup = { lookupType: 1, flags: { flags: 0 }, subTables: [] };

/** Mends a loaded font's kind, for every font of it. Doing it again changes nothing. */
export function mendShaping(font: object): void {
  const kind = owner(font, 'layout');
  if (!kind || mended.has(kind)) return;
  mended.add(kind);
  const { layout, getGlyph } = kind as ShapingFont;
  (kind as ShapingFont).getGlyph = function (this: ShapingFont, id, characters = []) {
    const glyph = getGlyph.call(this, id, characters);
    if (glyph?.codePoints.length === 0) delete this._glyphs[id];
    return glyph;
  };
  const shaped = function (this: ShapingFont, ...text: unknown[]) {
    try {
      if (!mended.has(this)) mendTables(this);
      return layout.apply(this, text);
    } catch {
      return withoutShaping(this, () => layout.apply(this, text));
    }
  };
  (kind as ShapingFont).layout = remembering(shaped);
}

interface GlyphRun {
  glyphs: object[];
  positions: object[];
}

/** Texts that a font remembers, and how long one may be. */
const REMEMBERED = 2_000;
const LONGEST = 1_000;
const runs = new WeakMap<object, ReturnType<typeof kept<GlyphRun>>>();

/**
 * A fifth of a certificate's time is shaping, mostly of what the last one said too: labels, the consent, the rules of the house.
 * Who gets a run may change its lists, so each gets its own.
 */
function remembering(layout: (...text: unknown[]) => object) {
  return function (this: ShapingFont, ...text: unknown[]): object {
    if (typeof text[0] !== 'string' || text[0].length > LONGEST) return layout.apply(this, text);
    const runOf = runs.get(this) ?? kept<GlyphRun>(REMEMBERED);
    runs.set(this, runOf);
    const run = runOf(JSON.stringify(text), () => layout.apply(this, text) as GlyphRun);
    const own = { glyphs: [...run.glyphs], positions: run.positions.map((position) => ({ ...position })) };
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, own);
  };
}

function mendTables(font: ShapingFont): void {
  mended.add(font);
  for (const table of [font.GSUB, font.GPOS]) {
    if (!table) continue;
    const { lookupList } = table;
    const get = lookupList.get.bind(lookupList);
    lookupList.get = (index) => {
      try {
        return get(index);
      } catch {
        return NOTHING;
      }
    };
  }
  const processor = font._layoutEngine.engine?.GPOSProcessor;
  const kind = processor ? (owner(processor, 'applyAnchor') as AnchorProcessor | null) : null;
  if (!kind || mended.has(kind)) return;
  mended.add(kind);
  const { applyAnchor } = kind;
  kind.applyAnchor = function (this: AnchorProcessor, mark, base, base_index) {
    if (mark.markAnchor && base) applyAnchor.call(this, mark, base, base_index);
  };
}

function withoutShaping<T>(font: ShapingFont, layout: () => T): T {
  const engines = font._layoutEngine;
  const { engine } = engines;
  engines.engine = null;
  try {
    return layout();
  } finally {
    engines.engine = engine;
  }
}

/** Which object of the prototypes has the member. */
function owner(object: object, member: string): object | null {
  for (let at: object | null = object; at; at = Object.getPrototypeOf(at)) if (Object.hasOwn(at, member)) return at;
  return null;
}
