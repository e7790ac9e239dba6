# Threshold's one process. Built in one stage with everything, run in another with what serving needs, as a user without
# rights. State is in DATA_DIR (/data) unless DATABASE_URL names a PostgreSQL.

FROM node:20-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
# The lock first: the layer with the dependencies is rebuilt only when it changes.
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json ./packages/client/
COPY packages/cli/package.json ./packages/cli/
RUN npm ci --ignore-scripts --include=dev
COPY . .
RUN node scripts/setup.mjs --build && npm prune --omit=dev --ignore-scripts

FROM node:20-slim
WORKDIR /app
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
COPY --from=build /app/package.json /app/package-lock.json /app/tsconfig.json /app/next.config.mjs /app/prisma.config.ts ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/packages ./packages
COPY --from=build /app/docs ./docs
COPY --from=build /app/build ./build
COPY --from=build /app/.next ./.next
COPY --from=build /app/inngest ./inngest
COPY --from=build /app/src ./src
# Next keeps a cache of its own beside the build.
RUN mkdir -p /data .next/cache && chown -R node:node /data .next/cache && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, so that signals reach the server itself.
CMD ["node", "build/server/server.mjs"]
