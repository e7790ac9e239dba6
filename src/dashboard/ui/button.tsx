'use client';
import type { VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { type ComponentProps, useSyncExternalStore } from 'react';
import { buttonStyles } from './button-styles';
import { cn } from './cn';
import { Tooltip } from './overlay/tooltip';

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyles> {
  /** Shows a spinner and refuses further presses. */
  pending?: boolean;
  /**
   * Why it cannot act now. The button stays focusable, so that the reason can be read by everyone,
   * and does nothing.
   */
  disabledReason?: string | null;
}

const never = () => () => {};

/** False on the server and until the page's scripts have taken over. */
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
      // Pressed earlier, the browser itself would send the form: reload the page, with what was typed in its address.
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
