'use client';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';

interface SidePanelProps {
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
}

/** One thing of many beside the others, from the right edge; over all of them on a phone. */
export function SidePanel({ onClose, title, description, children }: SidePanelProps) {
  const t = useTranslations('ui');
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/25 data-[state=open]:animate-[fade-in_120ms_ease-out]" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            // Its first button would do something: the panel itself is read first.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return;
            event.preventDefault();
            opener.current.focus();
          }}
          className="fixed inset-y-0 right-0 z-40 flex w-[26rem] max-w-full flex-col border-l bg-raised shadow-overlay outline-none"
        >
          <div className="flex items-start justify-between gap-4 border-b px-5 py-4">
            <div className="grid min-w-0 gap-1">
              <Radix.Title className="break-words font-semibold text-lg leading-snug">{title}</Radix.Title>
              <Radix.Description asChild>
                <div className="text-ink-soft text-sm">{description}</div>
              </Radix.Description>
            </div>
            <Radix.Close
              className="-mr-2 rounded-md p-2 text-ink-soft hover:bg-muted hover:text-ink"
              aria-label={t('close')}
            >
              <X className="size-4" aria-hidden />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
