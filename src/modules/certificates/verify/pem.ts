/** Certificates in a text. */
import { X509Certificate } from 'node:crypto';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Every certificate of a PEM text. Throws for one that cannot be read. */
export function certificatesIn(text: string): X509Certificate[] {
  const [, ...parts] = text.split(BEGIN);
  return parts.map((part) => new X509Certificate(`${BEGIN}${part.split(END, 1)[0]}${END}`));
}
