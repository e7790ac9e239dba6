/**
 * Patches two defects of the font library.
 * - The library throws on fonts that omit an anchor, which OpenType allows, and on one kind of
 * lookup table. If it still throws after the patch, the text is drawn letter by letter, which is
 * readable but not well shaped.
 * - The library caches a glyph with the code points of its first request. A decomposed “ź” requests
 * the glyph of “z” without code points. Without the patch, no later “z” in the process could be
 * copied, searched or read aloud.
 */
import { createBoundedCache } from '@/shared/bounded-cache';

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

const patched = new WeakSet<object>();
const NOTHING: Lookup = { lookupType: 1, flags: { flags: 0 }, subTables: [] };

/**
 * Patches the class of a loaded font, which affects every font of that class. A repeated call
 * changes nothing.
 */
export function patchTextShapingOfFontClass(font: object): void {
  const kind = owner(font, 'layout');
  if (!kind || patched.has(kind)) return;
  patched.add(kind);
  const { layout, getGlyph } = kind as ShapingFont;
  (kind as ShapingFont).getGlyph = function (this: ShapingFont, id, characters = []) {
    const glyph = getGlyph.call(this, id, characters);
    if (glyph?.codePoints.length === 0) delete this._glyphs[id];
    return glyph;
  };
  const shaped = function (this: ShapingFont, ...text: unknown[]) {
    try {
      if (!patched.has(this)) patchTables(this);
      return layout.apply(this, text);
    } catch {
      return withoutShaping(this, () => layout.apply(this, text));
    }
  };
  (kind as ShapingFont).layout = withCache(shaped);
}

interface GlyphRun {
  glyphs: object[];
  positions: object[];
}

/** The maximum number of cached texts for each font, and the maximum length of a cached text. */
const CACHED_TEXTS = 2_000;
const MAX_CACHED_LENGTH = 1_000;
const runs = new WeakMap<object, ReturnType<typeof createBoundedCache<GlyphRun>>>();

/**
 * Caches the results of `layout`. Shaping takes a fifth of the rendering time, mostly for texts
 * that every certificate contains. Callers may modify the returned lists, so each call returns a
 * copy.
 */
function withCache(layout: (...text: unknown[]) => object) {
  return function (this: ShapingFont, ...text: unknown[]): object {
    if (typeof text[0] !== 'string' || text[0].length > MAX_CACHED_LENGTH) return layout.apply(this, text);
    const runOf = runs.get(this) ?? createBoundedCache<GlyphRun>(CACHED_TEXTS);
    runs.set(this, runOf);
    const run = runOf(JSON.stringify(text), () => layout.apply(this, text) as GlyphRun);
    const own = { glyphs: [...run.glyphs], positions: run.positions.map((position) => ({ ...position })) };
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, own);
  };
}

function patchTables(font: ShapingFont): void {
  patched.add(font);
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
  if (!kind || patched.has(kind)) return;
  patched.add(kind);
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

/** Returns the object in the prototype chain that defines the member. */
function owner(object: object, member: string): object | null {
  for (let at: object | null = object; at; at = Object.getPrototypeOf(at)) if (Object.hasOwn(at, member)) return at;
  return null;
}
