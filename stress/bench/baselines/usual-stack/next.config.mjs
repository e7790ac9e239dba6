/** The usual stack (stress/README.md). Next builds it when it is measured. @type {import('next').NextConfig} */
export default {
  serverExternalPackages: ['@prisma/client', '@prisma/adapter-pg', 'pg'],
  typescript: { ignoreBuildErrors: true },
};
