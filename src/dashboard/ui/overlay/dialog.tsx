'use client';
import { useState } from 'react';
import { lazyComponent } from '../lazy-component';
import type { DialogProps, DrawerProps } from './dialog-panel';

// Focus trapping, scroll locking and screen-reader support load when a dialog opens for the first time.
const DialogPanel = lazyComponent(() => import('./dialog-panel').then((file) => file.DialogPanel));
const DrawerPanel = lazyComponent(() => import('./dialog-panel').then((file) => file.DrawerPanel));

/** Returns whether it is open or has been open. A closing dialog stays for its animation. */
export function useHasOpened(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return open || opened;
}

/** A dialog over the page. Without input it closes at once, otherwise it asks first. */
export function Dialog(props: DialogProps) {
  return useHasOpened(props.open) ? <DialogPanel {...props} /> : null;
}

/** A panel at the left edge, for the navigation on a phone. */
export function Drawer(props: DrawerProps) {
  return useHasOpened(props.open) ? <DrawerPanel {...props} /> : null;
}
