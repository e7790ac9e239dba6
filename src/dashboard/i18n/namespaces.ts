/** The messages by folder: what a component of `home` says is in the namespace `home`. */
import type en from './messages/en.json';

export type Namespace = keyof typeof en;

declare module 'use-intl/core' {
  interface AppConfig {
    Messages: typeof en;
  }
}
