import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** The space above the section in the preview, in pixels. */
const ABOVE_PX = 24;
/** The preview does not scroll for distances below this number of pixels. */
const SAME_PX = 4;
const BY_HAND = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

interface Place {
  section: string;
  /** The focused rule or fee. Null when the focus is elsewhere in the section. */
  row: HTMLElement | null;
}

/**
 * Scrolls the preview to the section that the host edits, and to the edited row when the preview
 * contains its text. When the host scrolls the preview, it stays there until another section or row
 * gets the focus. Returns the frame's load handler, which restores the position, because a new
 * preview starts at its top.
 */
export function useScrollPreviewToEditedRow(frame: RefObject<HTMLIFrameElement | null>): () => void {
  const place = useRef<Place | null>(null);
  const by_hand = useRef(false);
  const scrolled = useRef(0);

  const show = useCallback(
    (behavior: ScrollBehavior) => {
      const page = frame.current?.contentDocument;
      const view = frame.current?.contentWindow;
      if (!page || !view) return;
      const found = place.current && shownAt(page, place.current);
      const top =
        by_hand.current || !found ? scrolled.current : found.getBoundingClientRect().top + view.scrollY - ABOVE_PX;
      if (Math.abs(top - view.scrollY) > SAME_PX) view.scrollTo({ top, behavior });
    },
    [frame],
  );

  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      const next = placeOf(target as HTMLElement);
      if (!next || (next.section === place.current?.section && next.row === place.current.row)) return;
      place.current = next;
      by_hand.current = false;
      show(window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth');
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [show]);

  return useCallback(() => {
    const view = frame.current?.contentWindow;
    if (!view) return;
    const onHand = () => {
      by_hand.current = true;
    };
    const onScroll = () => {
      scrolled.current = view.scrollY;
    };
    for (const kind of BY_HAND) view.addEventListener(kind, onHand, { passive: true });
    view.addEventListener('scroll', onScroll, { passive: true });
    show('instant');
  }, [frame, show]);
}

/**
 * Returns the section and row of a focused element in the editor. Returns null when the preview
 * does not show the element's section.
 */
function placeOf(focused: HTMLElement): Place | null {
  const section = focused.closest<HTMLElement>('[data-previewed]')?.dataset.previewed;
  return section ? { section, row: focused.closest<HTMLElement>('[data-id]') } : null;
}

/**
 * Returns the rule or fee in the preview that contains the edited row's text up to the first short
 * code. Returns the whole section when there is no match.
 */
function shownAt(page: Document, { section, row }: Place): Element | null {
  const shown = page.getElementById(section);
  const text = row?.querySelector<HTMLTextAreaElement>('[data-row-text]')?.value.split('{{')[0]?.trim();
  const rows = text ? [...(shown?.querySelectorAll('li') ?? [])] : [];
  return rows.find((each) => each.textContent?.includes(text ?? '')) ?? shown;
}
