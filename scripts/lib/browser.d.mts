/** Returns the path of an installed browser, or null. `CHROME_PATH` overrides it. */
export function findBrowser(): string | null;
/** Returns whether a browser must be installed. */
export function shouldInstallBrowser(): Promise<boolean>;
/** Installs a browser: Debian's package as root, otherwise Playwright's download. */
export function installBrowser(): Promise<void>;
