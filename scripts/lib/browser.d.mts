/** Returns the path of an installed browser, or null. `CHROME_PATH` overrides it. */
export function findBrowser(): string | null;
/** Returns whether a browser has to be installed. */
export function needsBrowser(): Promise<boolean>;
/** Installs a browser: Debian's own as root, otherwise Playwright's. */
export function installBrowser(): Promise<void>;
