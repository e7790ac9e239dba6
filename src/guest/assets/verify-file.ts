/**
 * Checks a file on the verification page: computes the SHA-256 of the visitor's file in the browser
 * and compares it with the hash of the sealed file.
 */
import { findElement } from './dom';

export function startFileVerification(): void {
  const zone = findElement<HTMLElement>('[data-drop]');
  const input = zone && findElement<HTMLInputElement>('input', zone);
  const result = findElement<HTMLElement>('[data-drop-result]');
  if (!zone || !input || !result) return;
  const verdict = findElement<HTMLElement>('.drop-verdict', result);
  const details = findElement<HTMLElement>('.quiet', result);
  const fingerprint = findElement('code', result);

  const show = (state: 'working' | 'match' | 'differs' | 'failed', hash = '') => {
    result.classList.toggle('is-match', state === 'match');
    result.classList.toggle('is-differs', state === 'differs' || state === 'failed');
    if (verdict) verdict.textContent = zone.dataset[state] ?? '';
    if (details) details.hidden = hash === '';
    if (fingerprint) fingerprint.textContent = hash;
  };
  const check = async (file: File | null | undefined) => {
    if (!file) return;
    show('working');
    try {
      const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
      const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
      show(hash === zone.dataset.drop?.toLowerCase() ? 'match' : 'differs', hash);
    } catch {
      show('failed');
    }
  };

  input.addEventListener('change', () => {
    void check(input.files?.[0]);
    input.value = '';
  });
  // Prevents a file dropped outside of the zone from replacing the page.
  for (const type of ['dragover', 'drop'] as const) document.addEventListener(type, (event) => event.preventDefault());
  zone.addEventListener('dragover', () => zone.classList.add('is-over'));
  zone.addEventListener('dragleave', () => zone.classList.remove('is-over'));
  document.addEventListener('drop', (event) => {
    zone.classList.remove('is-over');
    void check(event.dataTransfer?.files[0]);
  });
}
