'use client';
import { useState } from 'react';
import { lazyComponent } from '../lazy-component';
import type { DialogProps, DrawerProps } from './dialog-panel';

// Focus trapping, scroll locking and screen-reader support load when the first dialog opens.
const DialogPanel = lazyComponent(() => import('./dialog-panel').then((file) => file.DialogPanel));
const DrawerPanel = lazyComponent(() => import('./dialog-panel').then((file) => file.DrawerPanel));

/**
 * Returns whether the dialog is open or was open before. A dialog that closes stays rendered for
 * its animation.
 */
export function useHasOverlayOpened(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return open || opened;
}

/** A dialog over the page. If the user has typed something, closing asks for confirmation. */
export function Dialog(props: DialogProps) {
  return useHasOverlayOpened(props.open) ? <DialogPanel {...props} /> : null;
}

/** A panel at the left edge, for the navigation on a phone. */
export function Drawer(props: DrawerProps) {
  return useHasOverlayOpened(props.open) ? <DrawerPanel {...props} /> : null;
}
