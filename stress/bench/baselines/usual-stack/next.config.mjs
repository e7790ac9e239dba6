/**
 * The usual stack (stress/README.md). Next builds it before the measurement.
 *
 * @type {import('next').NextConfig}
 */
export default {
  serverExternalPackages: ['@prisma/client', '@prisma/adapter-pg', 'pg'],
  typescript: { ignoreBuildErrors: true },
};
