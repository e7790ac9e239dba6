'use client';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { setToastListener } from './toaster';

/** Renders the toasts. toast-frame.tsx loads this file. */
export default function ToastList({ theme }: { theme: 'light' | 'dark' | 'system' }) {
  // Runs after Sonner's own effect, which subscribes to toasts, so that no queued toast is lost.
  useEffect(() => {
    setToastListener(({ kind, text, options }) => void toast[kind](text, options));
    return () => setToastListener(null);
  }, []);
  return (
    <Sonner
      theme={theme}
      position="bottom-right"
      // Leaves room for the bottom bar of phones.
      mobileOffset={{ bottom: 80 }}
      toastOptions={{
        classNames: {
          toast: 'bg-raised! border-line! text-ink! shadow-overlay! rounded-lg! font-sans!',
          description: 'text-ink-soft!',
          actionButton: 'bg-primary! text-on-primary!',
          success: '[&_[data-icon]]:text-success!',
          error: '[&_[data-icon]]:text-danger!',
        },
      }}
    />
  );
}
