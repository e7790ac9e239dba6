'use client';
/**
 * Renders menus. At first a page contains only the menus' buttons. The menus (menu-parts.tsx) are
 * loaded when the pointer or focus reaches a button.
 */
import { Slot } from 'radix-ui';
import { type ComponentProps, createContext, type KeyboardEvent, type ReactNode, useContext, useState } from 'react';
import { notifyComponentLoadFailure } from '../lazy-component';

type Parts = typeof import('./menu-parts');

const load = () => import('./menu-parts');
const near = () => void load().catch(() => {});

interface Opening {
  /** The menu's components. Null until the menu is opened for the first time. */
  parts: Parts | null;
  open: () => void;
}

const MenuContext = createContext<Opening>({ parts: null, open: () => {} });

interface MenuProps {
  /** Whether the menu is open. Undefined when the menu itself manages this state. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

export function Menu({ open: given, onOpenChange, children }: MenuProps) {
  const [parts, setParts] = useState<Parts | null>(null);
  const [own, setOpen] = useState(false);
  const open = given ?? own;
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  const first = () =>
    void load().then((loaded) => {
      setParts(loaded);
      change(true);
    }, notifyComponentLoadFailure);
  return (
    <MenuContext.Provider value={{ parts, open: first }}>
      {parts ? (
        <parts.MenuRoot open={open} onOpenChange={change}>
          {children}
        </parts.MenuRoot>
      ) : (
        children
      )}
    </MenuContext.Provider>
  );
}

export function MenuTrigger({ asChild, ...props }: ComponentProps<'button'> & { asChild?: boolean }) {
  const { parts, open } = useContext(MenuContext);
  if (parts) return <parts.MenuTrigger asChild={asChild} {...props} />;
  const Button = asChild ? Slot.Root : 'button';
  return (
    <Button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      data-state="closed"
      onPointerEnter={near}
      onFocus={near}
      onClick={open}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        open();
      }}
      {...props}
    />
  );
}

/** Returns a component that renders nothing before the menu is opened for the first time. */
function part<Name extends Exclude<keyof Parts, 'MenuRoot' | 'MenuTrigger'>>(name: Name) {
  return function MenuPart(props: ComponentProps<Parts[Name]>) {
    const { parts } = useContext(MenuContext);
    // biome-ignore lint/suspicious/noExplicitAny: the props depend on the name of the part, which the types cannot express.
    const Part = parts?.[name] as any;
    return Part ? <Part {...(props as object)} /> : null;
  };
}

export const MenuContent = part('MenuContent');
export const MenuItem = part('MenuItem');
export const MenuAction = part('MenuAction');
export const MenuRadioGroup = part('MenuRadioGroup');
export const MenuRadioItem = part('MenuRadioItem');
export const MenuCheckboxItem = part('MenuCheckboxItem');
export const MenuLabel = part('MenuLabel');
export const MenuSeparator = part('MenuSeparator');
