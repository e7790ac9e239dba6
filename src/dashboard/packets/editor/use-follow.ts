import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** How much of what is before it stays visible above what is shown. */
const ABOVE_PX = 24;
/** As good as there. */
const SAME_PX = 4;
const BY_HAND = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

interface Place {
  section: string;
  /** The rule or fee, where it is one. */
  row: HTMLElement | null;
}

/**
 * Keeps what is being edited in sight in the preview: its section, and its row where that is found
 * by its text. Who scrolls the preview by hand is left there until another section or row gets the
 * focus; the focus itself never moves. Returns what is to be called whenever the frame has loaded,
 * since a new preview begins at its top.
 */
export function useFollow(frame: RefObject<HTMLIFrameElement | null>): () => void {
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

/** Where in the editor this is. Null for what the preview does not show. */
function placeOf(focused: HTMLElement): Place | null {
  const section = focused.closest<HTMLElement>('[data-previewed]')?.dataset.previewed;
  return section ? { section, row: focused.closest<HTMLElement>('[data-id]') } : null;
}

/**
 * The row of the preview that says what the editor's does, up to its first short code, or else its
 * section.
 */
function shownAt(page: Document, { section, row }: Place): Element | null {
  const shown = page.getElementById(section);
  const text = row?.querySelector<HTMLTextAreaElement>('[data-row-text]')?.value.split('{{')[0]?.trim();
  const rows = text ? [...(shown?.querySelectorAll('li') ?? [])] : [];
  return rows.find((each) => each.textContent?.includes(text ?? '')) ?? shown;
}
