/**
 * Packages that Next does not bundle. They hold process-wide state or native code, and each must
 * exist only once. Next serves the dashboard from within the server process (src/server.ts).
 * Requests to `/v1` and the guests' pages do not reach it.
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
 * Headers of the dashboard's pages only. The server adds all other headers to every response
 * (src/http-entry/security-headers.ts). The Content-Security-Policy contains a new nonce for every
 * page (src/proxy.ts).
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
  // `npm run typecheck` checks types with the native compiler, in a fraction of the time.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Messages are compiled on the server (src/dashboard/i18n/load.ts), so browsers do not need the
  // compiler.
  turbopack: { resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  experimental: {
    optimizePackageImports: ['lucide-react', 'radix-ui'],
    // The cache would cost each first build 184 MB and 4 s. It helps only later builds, of which an
    // installation has few.
    turbopackFileSystemCacheForBuild: false,
  },
  headers: async () => [{ source: '/:path*', headers: pageHeaders }],
};
