'use client';
import { Slot } from 'radix-ui';
import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { type PlacementSide, placeNextToAnchor } from './place-next-to-anchor';

/**
 * The delay in milliseconds before a tooltip opens. A pointer that only crosses the element opens
 * no tooltip.
 */
const HOVER_MS = 200;

/**
 * Shows a short text on hover and focus. The child must be focusable. Pages have hundreds of
 * tooltips, so tooltips do not load the positioning library of the menus.
 */
export function Tooltip({
  text,
  children,
  side = 'top',
}: {
  text: ReactNode;
  children: ReactNode;
  side?: PlacementSide;
}) {
  const id = useId();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const pressed = useRef(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <>
      <Slot.Root
        aria-describedby={anchor ? id : undefined}
        onPointerEnter={({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
          if (pointerType !== 'touch') timer.current = setTimeout(() => setAnchor(currentTarget), HOVER_MS);
        }}
        onPointerLeave={close}
        onPointerDown={() => {
          close();
          pressed.current = true;
          window.addEventListener('pointerup', () => (pressed.current = false), { once: true });
        }}
        onFocus={({ currentTarget }: FocusEvent<HTMLElement>) => {
          // A click also focuses the element, but should not open the tooltip.
          if (!pressed.current) setAnchor(currentTarget);
        }}
        onBlur={close}
      >
        {children}
      </Slot.Root>
      {anchor ? (
        <Bubble id={id} anchor={anchor} side={side} onClose={close}>
          {text}
        </Bubble>
      ) : null}
    </>
  );
}

interface BubbleProps {
  id: string;
  anchor: HTMLElement;
  side: PlacementSide;
  onClose: () => void;
  children: ReactNode;
}

function Bubble({ id, anchor, side, onClose, children }: BubbleProps) {
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
    const close = () => latest.current();
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close();
    window.addEventListener('keydown', onKey);
    window.addEventListener('scroll', close, true);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', close, true);
    };
  }, []);
  const place = (element: HTMLDivElement | null) => {
    if (!element) return;
    const room = { width: document.documentElement.clientWidth, height: window.innerHeight };
    // Uses sizes that the animation does not change, unlike the client rectangle.
    const box = { width: element.offsetWidth, height: element.offsetHeight };
    const { left, top } = placeNextToAnchor(anchor.getBoundingClientRect(), box, side, room);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  };
  return createPortal(
    <div
      ref={place}
      id={id}
      role="tooltip"
      className="pointer-events-none fixed top-0 left-0 z-50 w-max max-w-72 animate-enter rounded-md bg-ink px-2.5 py-1.5 text-background text-xs leading-relaxed shadow-overlay"
    >
      {children}
    </div>,
    document.body,
  );
}
