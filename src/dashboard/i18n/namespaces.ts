/** The messages by folder: what a component of `home` says is in the namespace `home`. */
import type en from './messages/en.json';

export type Namespace = keyof typeof en;

/** The namespaces of every page: the shell's messages and those of tables, dialogs and errors. */
export const EVERYWHERE = ['ui', 'shell'] as const satisfies readonly Namespace[];

declare module 'use-intl/core' {
  interface AppConfig {
    Messages: typeof en;
  }
}
