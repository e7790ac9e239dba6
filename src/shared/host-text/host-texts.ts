/** Texts for hosts outside the dashboard that are not refusals, such as notices. Pure. */
import type { HostLocale } from '../language/host-language';
import de from './messages/de.json';
import en from './messages/en.json';
import es from './messages/es.json';
import fr from './messages/fr.json';
import it from './messages/it.json';
import nl from './messages/nl.json';
import pt from './messages/pt.json';

export type HostMessageCatalog = typeof en;

export const HOST_MESSAGE_CATALOGS: Readonly<Record<HostLocale, HostMessageCatalog>> = { en, de, fr, es, it, pt, nl };
