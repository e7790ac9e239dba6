'use client';

import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { isTextField } from '../../unsaved';
import { Button } from '../button';
import { cn } from '../cn';
import { PanelHeader, useRestoreFocus } from './panel-head';

const overlay = 'fixed inset-0 z-40 bg-black/45 data-[state=open]:animate-[fade-in_120ms_ease-out]';
const sizes = { sm: 'max-w-md', md: 'max-w-lg', lg: 'max-w-3xl' };

/** Focuses the first field of a form instead of the close button. */
function focusFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement).querySelector<HTMLElement>(
    'input:not([type="file"]):not(:disabled), textarea:not(:disabled), select:not(:disabled), [role="combobox"]:not(:disabled)',
  );
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** Focuses the first invalid field after the form was submitted and its errors were rendered. */
function focusFirstWrong({ currentTarget }: { currentTarget: HTMLElement }): void {
  requestAnimationFrame(() => currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/**
 * The content of `Dialog` in dialog.tsx. If the user has typed something, Escape, a click outside
 * and the close button ask for confirmation. Otherwise they close the dialog at once.
 */
export function DialogPanel({ open, onOpenChange, title, description, children, size = 'md', ...props }: DialogProps) {
  const { dismissLabel, footer } = props;
  const t = useTranslations('ui');
  const typed = useRef(false);
  const focus = useRestoreFocus();
  const [asking, setAsking] = useState(false);
  const step = typeof title === 'string' ? title : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog that is opened anew, or goes on to its next step, begins empty.
  useEffect(() => {
    typed.current = false;
    setAsking(false);
  }, [open, step]);
  const close = (next: boolean) => {
    // The first Escape asks whether to discard the input. A second Escape closes this question and
    // keeps the input.
    if (!next && typed.current) setAsking(!asking);
    else onOpenChange(next);
  };
  return (
    <Radix.Root open={open} onOpenChange={close}>
      <Radix.Portal>
        <Radix.Overlay className={overlay} />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            focus.remember();
            focusFirstField(event);
          }}
          onCloseAutoFocus={focus.giveBack}
          onSubmit={focusFirstWrong}
          onInput={({ target }) => {
            if (!isTextField(target)) return;
            typed.current = true;
            setAsking(false);
          }}
          className={cn(
            'fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 grid-rows-[auto_1fr] overflow-hidden rounded-xl border bg-raised shadow-overlay',
            sizes[size],
          )}
        >
          <PanelHeader title={title} description={description} className="px-6 pt-5 pb-3" />
          <div className="overflow-y-auto px-6 pb-5">{children}</div>
          {asking ? (
            <div role="alert" className="flex flex-wrap items-center gap-2 border-t bg-warning-tint px-6 py-3 text-sm">
              <p className="min-w-0 flex-1 basis-40 text-warning">{t('what_you_typed_is_not_saved')}</p>
              <Button variant="secondary" size="sm" onClick={() => onOpenChange(false)}>
                {t('discard_it')}
              </Button>
              <Button size="sm" autoFocus onClick={() => setAsking(false)}>
                {t('go_on')}
              </Button>
            </div>
          ) : null}
          {dismissLabel || footer ? (
            <div className="flex flex-wrap justify-end gap-2 border-t bg-muted/60 px-6 py-3">
              {dismissLabel ? (
                <Button variant="secondary" onClick={() => onOpenChange(false)}>
                  {dismissLabel}
                </Button>
              ) : null}
              {footer}
            </div>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A panel at the left edge, for the navigation on a phone. */
export function DrawerPanel({ open, onOpenChange, title, children }: DrawerProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlay} />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] animate-slide overflow-y-auto border-r bg-surface shadow-overlay"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** The label of the footer's first button, which closes the dialog without confirmation. */
  dismissLabel?: string;
  /** Additional buttons, with the main button last. */
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
}

export type DrawerProps = Pick<DialogProps, 'open' | 'onOpenChange' | 'children'> & { title: string };
