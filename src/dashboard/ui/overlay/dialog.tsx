'use client';
import { useState } from 'react';
import { lazyComponent } from '../lazy-component';
import type { DialogProps, DrawerProps } from './dialog-panel';

// What keeps the focus, the scrolling and the screen reader inside is loaded when something opens for the first time.
const DialogPanel = lazyComponent(() => import('./dialog-panel').then((file) => file.DialogPanel));
const DrawerPanel = lazyComponent(() => import('./dialog-panel').then((file) => file.DrawerPanel));

/** Whether it is open or has been: one that closes has its end to show. */
export function useOpened(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return open || opened;
}

/**
 * A question or a form over the page. Where nothing was typed it closes at once; else it asks
 * first.
 */
export function Dialog(props: DialogProps) {
  return useOpened(props.open) ? <DialogPanel {...props} /> : null;
}

/** A panel from the left edge; the navigation on a phone. */
export function Drawer(props: DrawerProps) {
  return useOpened(props.open) ? <DrawerPanel {...props} /> : null;
}
