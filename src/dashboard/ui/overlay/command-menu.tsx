'use client';
import { Command } from 'cmdk';
import { type LucideIcon, Search } from 'lucide-react';
import { Dialog } from 'radix-ui';

export interface CommandItem {
  id: string;
  label: string;
  icon: LucideIcon;
  /** Other words it is found by. */
  keywords?: string[];
  hint?: string;
  run: () => void;
}

interface CommandMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: { label: string; items: CommandItem[] }[];
}

/** Everything by name. */
export function CommandMenu({ open, onOpenChange, groups }: CommandMenuProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          aria-describedby={undefined}
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl overflow-hidden rounded-xl border bg-raised shadow-overlay"
        >
          <Dialog.Title className="sr-only">Commands</Dialog.Title>
          <Command loop>
            <div className="flex items-center gap-2.5 border-b px-4">
              <Search className="size-4 text-ink-soft" aria-hidden />
              <Command.Input
                placeholder="Go to a page or do something…"
                className="h-12 w-full bg-transparent text-sm outline-none"
              />
            </div>
            <Command.List className="max-h-[50vh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-8 text-center text-ink-soft text-sm">
                Nothing by that name.
              </Command.Empty>
              {groups.map((group) => (
                <Command.Group
                  key={group.label}
                  heading={group.label}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-ink-soft [&_[cmdk-group-heading]]:text-xs"
                >
                  {group.items.map((item) => (
                    <Command.Item
                      key={item.id}
                      value={item.label}
                      keywords={item.keywords}
                      onSelect={() => {
                        onOpenChange(false);
                        item.run();
                      }}
                      className="flex cursor-default items-center gap-3 rounded-md px-2.5 py-2 text-sm data-[selected=true]:bg-tint data-[selected=true]:text-primary"
                    >
                      <item.icon className="size-4" aria-hidden />
                      <span className="flex-1">{item.label}</span>
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
