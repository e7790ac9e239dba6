/**
 * Creates and uses passkeys in the browser. The JSON methods of WebAuthn Level 3 make a library
 * unnecessary.
 */
import { AuthError, postAuthRequest } from './auth-client';

/** Returns whether this browser supports passkeys. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Converts a DOMException to an AuthError. Returns an AbortError and any other error unchanged. */
function refused(error: unknown): Error {
  if (!(error instanceof DOMException)) return error as Error;
  const code = error.name === 'InvalidStateError' ? 'PASSKEY_NOT_ADDED' : 'PASSKEY_CANCELLED';
  return error.name === 'AbortError' ? error : new AuthError(code, '');
}

/**
 * Signs in with a passkey. With `conditional`, the browser suggests passkeys in the email field,
 * and the call resolves when the user picks one. Throws AuthError, or a DOMException when aborted.
 */
export async function signInWithPasskey(signal?: AbortSignal, mediation?: 'conditional'): Promise<void> {
  const options = await postAuthRequest<PublicKeyCredentialRequestOptionsJSON>(
    '/passkey/generate-authenticate-options',
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey, signal, mediation }).catch((error) => {
    throw refused(error);
  });
  await postAuthRequest('/passkey/verify-authentication', { response: (credential as PublicKeyCredential).toJSON() });
}

/** Adds a passkey of this device. Throws AuthError. */
export async function addPasskey(name: string, password: string | undefined): Promise<void> {
  const options = await postAuthRequest<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options', {
    password,
  });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch((error) => {
    throw refused(error);
  });
  await postAuthRequest('/passkey/verify-registration', {
    response: (credential as PublicKeyCredential).toJSON(),
    name,
  });
}
