/**
 * Next serves the dashboard from inside the one server process (src/server.ts); `/v1` and the
 * guests' pages never get here. What holds process-wide state or native parts is not bundled, so
 * that it exists once.
 */
const external = [
  '@electric-sql/pglite',
  'pglite-prisma-adapter',
  '@prisma/adapter-pg',
  '@prisma/client',
  '@react-pdf/renderer',
  '@react-email/render',
  '@signpdf/placeholder-pdf-lib',
  '@signpdf/utils',
  '@signpdf/signpdf',
  'better-auth',
  '@better-auth/passkey',
  'inngest',
  'ioredis',
  'node-forge',
  'pdf-lib',
  'pg',
  'pino',
  'prom-client',
  'resend',
  'nodemailer',
  'sharp',
  'undici',
];

/**
 * What only pages have; the server's door gives every answer the rest
 * (src/door/security-headers.ts), and the Content-Security-Policy carries a nonce of its own for
 * every page (src/proxy.ts).
 */
const pageHeaders = [
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
];

/** @type {import('next').NextConfig} */
export default {
  serverExternalPackages: external,
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run typecheck` does this with the native compiler, in a fraction of the time.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Messages come compiled (src/dashboard/i18n/load.ts): what compiles them is no use in a browser.
  turbopack: { resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  experimental: {
    optimizePackageImports: ['lucide-react', 'radix-ui'],
    // 184 MB and 4 s of each first build, for later builds of which an installation has few.
    turbopackFileSystemCacheForBuild: false,
  },
  headers: async () => [{ source: '/:path*', headers: pageHeaders }],
};
