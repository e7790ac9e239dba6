/**
 * The plain JavaScript engine of `recheck`. The package's main file would search for a native
 * engine.
 */
declare module 'recheck/lib/browser' {
  export { checkSync } from 'recheck';
}
