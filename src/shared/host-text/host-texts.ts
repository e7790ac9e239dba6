/** Texts for hosts outside the dashboard that are not refusals, such as notices. Pure. */
import type { HostLocale } from '../language/host-language';
import de from './messages/de.json';
import en from './messages/en.json';
import es from './messages/es.json';
import fr from './messages/fr.json';
import it from './messages/it.json';
import nl from './messages/nl.json';
import pt from './messages/pt.json';

export type HostTextCatalog = typeof en;

export const HOST_TEXT_CATALOGS: Readonly<Record<HostLocale, HostTextCatalog>> = { en, de, fr, es, it, pt, nl };
