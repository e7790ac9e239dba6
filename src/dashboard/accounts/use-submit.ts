'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { describeAuthError } from './auth-client';

/**
 * Returns a function that submits a form, the pending state, and the message of the last failure.
 */
export function useFormSubmit<Values>(work: (values: Values) => Promise<void>) {
  const t = useTranslations('accounts');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (values: Values) => {
    setPending(true);
    setError(null);
    try {
      await work(values);
    } catch (thrown) {
      setError(describeAuthError(thrown, t));
      setPending(false);
      return;
    }
    setPending(false);
  };
  return { submit, pending, error };
}
