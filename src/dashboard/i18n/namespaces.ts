/** Message namespaces, one for each folder: components in `home` use the namespace `home`. */
import type en from './messages/en.json';

export type MessageNamespace = keyof typeof en;

/**
 * Namespaces that every page loads: the messages of the shell and of tables, dialogs and errors.
 */
export const SHARED_MESSAGE_NAMESPACES = ['ui', 'shell'] as const satisfies readonly MessageNamespace[];

declare module 'use-intl/core' {
  interface AppConfig {
    Messages: typeof en;
  }
}
