'use client';
import { Command } from 'cmdk';
import { type LucideIcon, Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';

export interface CommandMenuItem {
  id: string;
  label: string;
  icon: LucideIcon;
  /** A second line below the label. */
  detail?: string;
  hint?: string;
  run: () => void;
}

interface CommandMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  text: string;
  onType: (text: string) => void;
  placeholder: string;
  /** The matches for the typed text. The caller runs the search. */
  groups: { label: string; items: CommandMenuItem[] }[];
  /** The text shown when there are no matches. */
  empty: string;
  /**
   * Whether `groups` still contains the matches for an earlier search text. Enter then waits for
   * the current matches.
   */
  busy: boolean;
}

/** A searchable list of commands. */
export function CommandMenu(props: CommandMenuProps) {
  const t = useTranslations('ui');
  const { open, onOpenChange, text, onType, placeholder, groups, empty, busy } = props;
  const entered = useRef(false);
  const [selected, setSelected] = useState('');
  const choose = (item: CommandMenuItem) => {
    onOpenChange(false);
    item.run();
  };
  const best = groups[0]?.items[0];
  const first = best?.id ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every letter the best is chosen again.
  useEffect(() => setSelected(first), [first, text]);
  useEffect(() => {
    if (busy || !entered.current) return;
    entered.current = false;
    if (best) choose(best);
  });
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          aria-describedby={undefined}
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl overflow-hidden rounded-xl border bg-raised shadow-overlay"
        >
          <Dialog.Title className="sr-only">{t('commands')}</Dialog.Title>
          <Command
            loop
            shouldFilter={false}
            value={selected}
            onValueChange={setSelected}
            onKeyDown={(event) => {
              entered.current = event.key === 'Enter' && busy;
              if (entered.current) event.preventDefault();
            }}
          >
            <div className="flex items-center gap-2.5 border-b px-4">
              <Search className="size-4 text-ink-soft" aria-hidden />
              <Command.Input
                value={text}
                onValueChange={onType}
                placeholder={placeholder}
                className="h-12 w-full bg-transparent text-sm outline-none"
              />
            </div>
            <Command.List className="max-h-[50vh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-8 text-center text-ink-soft text-sm">{empty}</Command.Empty>
              {groups.map((group) => (
                <Command.Group
                  key={group.label}
                  heading={group.label}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-ink-soft [&_[cmdk-group-heading]]:text-xs"
                >
                  {group.items.map((item) => (
                    <Command.Item
                      key={item.id}
                      value={item.id}
                      onSelect={() => choose(item)}
                      className="flex cursor-default items-center gap-3 rounded-md px-2.5 py-2 text-sm data-[selected=true]:bg-tint data-[selected=true]:text-primary"
                    >
                      <item.icon className="size-4 shrink-0" aria-hidden />
                      <span className="min-w-0 flex-1">
                        <span className="block truncate">{item.label}</span>
                        {item.detail ? (
                          <span className="block truncate text-ink-soft text-xs">{item.detail}</span>
                        ) : null}
                      </span>
                      {item.hint ? <span className="text-ink-soft text-xs">{item.hint}</span> : null}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
