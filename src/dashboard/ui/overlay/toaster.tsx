'use client';
import { Toaster as Sonner, toast } from 'sonner';

export { toast };

export const Toaster = ({ theme }: { theme: 'light' | 'dark' | 'system' }) => (
  <Sonner
    theme={theme}
    position="bottom-right"
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
