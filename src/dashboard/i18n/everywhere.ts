import type { Namespace } from './namespaces';

/** What every page says: the shell's words and those of tables, dialogs and errors. */
export const EVERYWHERE = ['ui', 'shell'] as const satisfies readonly Namespace[];
