'use client';
/** The parts of an open menu. dropdown-menu.tsx loads them. */
import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn';

export const { Root: MenuRoot, Trigger: MenuTrigger } = Radix;

export const MenuContent = ({ className, sideOffset = 6, ...props }: ComponentProps<typeof Radix.Content>) => (
  <Radix.Portal>
    <Radix.Content
      sideOffset={sideOffset}
      className={cn('z-50 min-w-48 animate-enter rounded-lg border bg-raised p-1 shadow-overlay', className)}
      {...props}
    />
  </Radix.Portal>
);

const item =
  'flex cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-muted [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-soft';

export const MenuItem = ({ className, danger, ...props }: ComponentProps<typeof Radix.Item> & { danger?: boolean }) => (
  <Radix.Item className={cn(item, danger && 'text-danger [&_svg]:text-danger!', className)} {...props} />
);

/**
 * An item that can be disabled with a reason. A disabled item can still be focused, so that its
 * reason can be read.
 */
export const MenuAction = ({
  refused,
  onAct,
  danger,
  icon,
  children,
}: {
  refused: string | null;
  onAct: () => void;
  danger?: boolean;
  icon: ReactNode;
  children: ReactNode;
}) => (
  <Radix.Item
    aria-disabled={refused ? true : undefined}
    className={cn(item, 'max-w-72 items-start!', danger && !refused && 'text-danger [&_svg]:text-danger!')}
    onSelect={(event) => (refused ? event.preventDefault() : onAct())}
  >
    <span className="mt-0.5">{icon}</span>
    <span className="grid gap-0.5">
      <span className={refused ? 'text-ink-soft' : undefined}>{children}</span>
      {refused ? <span className="text-ink-soft text-xs leading-snug">{refused}</span> : null}
    </span>
  </Radix.Item>
);

export const MenuRadioGroup = Radix.RadioGroup;
export const MenuRadioItem = ({ className, children, ...props }: ComponentProps<typeof Radix.RadioItem>) => (
  <Radix.RadioItem className={cn(item, 'justify-between', className)} {...props}>
    <span className="flex items-center gap-2.5">{children}</span>
    <Radix.ItemIndicator>
      <span className="block size-2 rounded-full bg-primary" />
    </Radix.ItemIndicator>
  </Radix.RadioItem>
);

/** An option that can be combined with others. The menu stays open when the user chooses it. */
export const MenuCheckboxItem = ({ className, children, ...props }: ComponentProps<typeof Radix.CheckboxItem>) => (
  <Radix.CheckboxItem
    className={cn(item, 'justify-between gap-4', className)}
    onSelect={(event) => event.preventDefault()}
    {...props}
  >
    {children}
    <Radix.ItemIndicator>
      <Check className="size-4 text-primary" aria-hidden />
    </Radix.ItemIndicator>
  </Radix.CheckboxItem>
);

export const MenuLabel = ({ className, ...props }: ComponentProps<typeof Radix.Label>) => (
  <Radix.Label className={cn('px-2.5 py-1.5 text-ink-soft text-xs', className)} {...props} />
);

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
