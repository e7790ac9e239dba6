'use client';
/**
 * A list that the host can reorder, by dragging a grip or with buttons that work with the keyboard.
 */
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { memo, type ReactNode, type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../../ui/button';
import { cn } from '../../../ui/cn';

interface SortableProps<T extends { id: string }> {
  items: readonly T[];
  /** The name of the items with a capital letter: `Rules`. */
  label: string;
  /** The name of one item in the buttons' labels. */
  one: 'rule' | 'fee';
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  disabled?: boolean;
  children: (item: T, index: number) => ReactNode;
}

interface Drag {
  from: number;
  /** The index at which the item would be dropped. 0 is before the first item. */
  gap: number;
}

/**
 * Returns the drop index for a pointer position: before the first item whose middle is below the
 * pointer.
 */
function gapAt(list: HTMLElement, y: number): number {
  const rows = [...list.children];
  const below = rows.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect();
    return y < top + height / 2;
  });
  return below === -1 ? rows.length : below;
}

export function SortableList<T extends { id: string }>(props: SortableProps<T>) {
  const t = useTranslations('packets');
  const { items, label, one, onMove, onRemove, disabled, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [said, setSaid] = useState('');
  const focus = useRef<{ id: string; to: 'up' | 'down' } | null>(null);

  // Moving an element in the document removes its focus. This effect restores the focus.
  useEffect(() => {
    const wanted = focus.current;
    if (!wanted) return;
    focus.current = null;
    const row = list.current?.querySelector(`[data-id="${CSS.escape(wanted.id)}"]`);
    const button = row?.querySelector<HTMLButtonElement>(`[data-move="${wanted.to}"]:not(:disabled)`);
    (button ?? row?.querySelector<HTMLButtonElement>('[data-move]:not(:disabled)'))?.focus();
  });

  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length || to === from) return;
    onMove(from, to);
    setSaid(t(`moved_${one}`, { from: from + 1, to: to + 1, count: items.length }));
  };
  const step = (index: number, direction: 'up' | 'down') => {
    focus.current = { id: items[index]?.id ?? '', to: direction };
    move(index, direction === 'up' ? index - 1 : index + 1);
  };

  const begin = (event: ReactPointerEvent, from: number) => {
    if (disabled || event.button !== 0 || !list.current) return;
    event.preventDefault();
    const element = list.current;
    let gap = from;
    setDrag({ from, gap });
    // The window handles these events, because the pointer leaves the grip during a drag.
    const follow = (moveEvent: PointerEvent) => {
      gap = gapAt(element, moveEvent.clientY);
      setDrag({ from, gap });
    };
    const end = (endEvent: Event) => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', cancel, true);
      setDrag(null);
      if (endEvent.type === 'pointerup') move(from, gap > from ? gap - 1 : gap);
    };
    const cancel = (key: KeyboardEvent) => {
      if (key.key === 'Escape') end(key);
    };
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', cancel, true);
  };

  // The list has one click handler for all buttons. A handler on each button would change with
  // every render and re-render the button.
  const press = (target: EventTarget) => {
    const button = (target as HTMLElement).closest<HTMLElement>('[data-act]');
    const index = Number(button?.dataset.at);
    if (!button || disabled) return;
    if (button.dataset.act === 'remove') onRemove(index);
    else step(index, button.dataset.act === 'up' ? 'up' : 'down');
  };

  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing a key on one of the buttons in the
          list causes a click. */}
      <ul
        ref={list}
        aria-label={label}
        className={cn('divide-y divide-line', drag && 'select-none')}
        onClick={({ target }) => press(target)}
      >
        {items.map((item, index) => (
          <li
            key={item.id}
            data-id={item.id}
            className={cn(
              'relative flex flex-wrap items-start gap-x-1 gap-y-1 px-2 py-2 sm:flex-nowrap sm:px-3',
              drag?.from === index && 'opacity-50',
              drag?.gap === index && 'shadow-[0_-2px_0_0_var(--primary)]',
              drag?.gap === items.length && index === items.length - 1 && 'shadow-[0_2px_0_0_var(--primary)]',
            )}
          >
            <span
              aria-hidden
              title={t('drag_to_move')}
              onPointerDown={(event) => begin(event, index)}
              className={cn(
                'mt-0.5 grid size-8 shrink-0 touch-none place-items-center rounded-md text-ink-soft hover:bg-muted',
                disabled ? 'invisible' : drag ? 'cursor-grabbing' : 'cursor-grab',
              )}
            >
              <GripVertical className="size-4" />
            </span>
            <div className="min-w-0 basis-[calc(100%-3rem)] sm:basis-0 sm:grow">{children(item, index)}</div>
            <Buttons one={one} index={index} last={index === items.length - 1} disabled={disabled ?? false} />
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}

interface ButtonsProps {
  one: SortableProps<never>['one'];
  index: number;
  last: boolean;
  disabled: boolean;
}

const Buttons = memo(function Buttons({ one, index, last, disabled }: ButtonsProps) {
  const t = useTranslations('packets');
  const button = (act: 'up' | 'down' | 'remove', label: string, off: boolean, icon: ReactNode) => (
    <Button
      variant="ghost"
      size="icon"
      className="size-8! text-ink-soft!"
      aria-label={label}
      title={label}
      data-act={act}
      data-at={index}
      data-move={act === 'remove' ? undefined : act}
      disabled={disabled || off}
    >
      {icon}
    </Button>
  );
  const number = index + 1;
  return (
    <div className="mt-0.5 ml-auto flex shrink-0">
      {button('up', t(`move_${one}_up`, { number }), index === 0, <ArrowUp aria-hidden />)}
      {button('down', t(`move_${one}_down`, { number }), last, <ArrowDown aria-hidden />)}
      {button('remove', t(`remove_${one}`, { number }), false, <Trash2 aria-hidden />)}
    </div>
  );
});
