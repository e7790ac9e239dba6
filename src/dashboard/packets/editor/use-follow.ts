import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** How far above the target the preview is scrolled. */
const ABOVE_PX = 24;
/** A smaller distance does not need scrolling. */
const SAME_PX = 4;
const BY_HAND = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

interface Place {
  section: string;
  /** The rule or fee, when the focus is in one. */
  row: HTMLElement | null;
}

/**
 * Scrolls the preview to the section that is being edited, and to its row when the row's text is
 * found. After the user scrolls the preview, it stays there until another section or row gets the
 * focus. The focus never moves. Returns a function to call when the frame has loaded, since a new
 * preview starts at its top.
 */
export function usePreviewScroll(frame: RefObject<HTMLIFrameElement | null>): () => void {
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

/** The place in the editor of an element. Null when the preview does not show it. */
function placeOf(focused: HTMLElement): Place | null {
  const section = focused.closest<HTMLElement>('[data-previewed]')?.dataset.previewed;
  return section ? { section, row: focused.closest<HTMLElement>('[data-id]') } : null;
}

/** The preview's row with the same text up to its first short code, otherwise its section. */
function shownAt(page: Document, { section, row }: Place): Element | null {
  const shown = page.getElementById(section);
  const text = row?.querySelector<HTMLTextAreaElement>('[data-row-text]')?.value.split('{{')[0]?.trim();
  const rows = text ? [...(shown?.querySelectorAll('li') ?? [])] : [];
  return rows.find((each) => each.textContent?.includes(text ?? '')) ?? shown;
}
