'use client';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { PanelHeader, useRestoreFocus } from './panel-head';

interface SidePanelProps {
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
}

/** Shows one item of a list in a panel at the right edge. On a phone the panel covers the list. */
export function SidePanel({ onClose, title, description, children }: SidePanelProps) {
  const focus = useRestoreFocus();
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/25 data-[state=open]:animate-[fade-in_120ms_ease-out]" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            focus.remember();
            // Focuses the panel itself, because its first button may change data.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          className="fixed inset-y-0 right-0 z-40 flex w-[26rem] max-w-full flex-col border-l bg-raised shadow-overlay outline-none"
        >
          <PanelHeader title={title} description={description} className="border-b px-5 py-4" />
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
