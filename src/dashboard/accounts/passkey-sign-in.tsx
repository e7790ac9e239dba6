'use client';
import { KeyRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../ui/button';
import { signInWithPasskey, supportsPasskeys } from './passkey-client';
import { useFormSubmit } from './use-submit';

/**
 * A challenge is valid for five minutes. A page that stays open requests a new challenge before
 * that.
 */
const RENEW_MS = 4 * 60_000;

/**
 * The button that signs in with a passkey. The browser also suggests passkeys in the email field.
 * Loaded only where the browser supports passkeys.
 */
export function PasskeySignIn({ next }: { next: string }) {
  const t = useTranslations('accounts');
  const waiting = useRef<AbortController>(undefined);
  const { submit, pending, error } = useFormSubmit(async () => {
    waiting.current?.abort();
    await signInWithPasskey();
    window.location.assign(next);
  });
  useEffect(() => {
    const offer = async () => {
      waiting.current?.abort();
      const own = new AbortController();
      waiting.current = own;
      try {
        if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || own.signal.aborted) return;
        await signInWithPasskey(own.signal, 'conditional');
        window.location.assign(next);
      } catch {
        // Ignores errors of the passkey suggestion in the email field. The button shows the errors
        // of its own attempts.
      }
    };
    if (!supportsPasskeys()) return;
    void offer();
    const renewal = setInterval(offer, RENEW_MS);
    return () => {
      clearInterval(renewal);
      waiting.current?.abort();
    };
  }, [next]);
  if (!supportsPasskeys()) return null;
  return (
    <div className="grid gap-3">
      <Button variant="secondary" size="lg" pending={pending} onClick={() => submit(undefined)}>
        <KeyRound aria-hidden />
        {t('use_a_passkey')}
      </Button>
      {error ? (
        <p role="alert" className="text-danger">
          {error}
        </p>
      ) : null}
    </div>
  );
}
