'use client';
import type { VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { type ComponentProps, useSyncExternalStore } from 'react';
import { buttonStyles } from './button-styles';
import { cn } from './cn';
import { Tooltip } from './overlay/tooltip';

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyles> {
  /** Shows a spinner and ignores clicks. */
  pending?: boolean;
  /**
   * The reason why the button is disabled. The button stays focusable, so that keyboard users can
   * read the reason.
   */
  disabledReason?: string | null;
}

const never = () => () => {};

/** Returns false on the server and until hydration. */
const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

export function Button({
  className,
  variant,
  size,
  pending,
  disabledReason,
  disabled,
  onClick,
  children,
  type,
  ...props
}: ButtonProps) {
  const hydrated = useHydrated();
  const styles = cn(buttonStyles({ variant, size }), className);
  const button = (
    <button
      type={type ?? 'button'}
      className={styles}
      // Before hydration, the browser would submit the form itself: the page would reload, with the
      // input in the URL.
      disabled={disabled || pending || (type === 'submit' && !hydrated)}
      aria-disabled={disabledReason ? true : undefined}
      aria-busy={pending || undefined}
      onClick={disabledReason ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      {pending ? <LoaderCircle className="animate-spin" aria-hidden /> : null}
      {children}
    </button>
  );
  return disabledReason ? <Tooltip text={disabledReason}>{button}</Tooltip> : button;
}
