'use client';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { cn } from '../cn';

interface PanelHeadProps {
  title: ReactNode;
  description?: ReactNode;
  className?: string;
}

/**
 * The title and close button of a dialog or panel. Without a description, screen readers also use
 * the title as the description.
 */
export function PanelHeader({ title, description, className }: PanelHeadProps) {
  const t = useTranslations('ui');
  return (
    <div className={cn('flex items-start justify-between gap-4', className)}>
      <div className="grid min-w-0 gap-1">
        <Radix.Title className="break-words font-semibold text-lg leading-snug">{title}</Radix.Title>
        <Radix.Description asChild>
          <div className={description ? 'text-ink-soft text-sm leading-relaxed' : 'sr-only'}>
            {description ?? title}
          </div>
        </Radix.Description>
      </div>
      <Radix.Close className="-mr-2 rounded-md p-2 text-ink-soft hover:bg-muted hover:text-ink" aria-label={t('close')}>
        <X className="size-4" aria-hidden />
      </Radix.Close>
    </div>
  );
}

/**
 * Remembers the focused element and restores its focus later. Radix restores the focus only to a
 * trigger, and these panels have no trigger.
 */
export function useRestoreFocus() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = document.activeElement;
    },
    giveBack: (event: Event) => {
      if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return;
      event.preventDefault();
      opener.current.focus();
    },
  };
}
