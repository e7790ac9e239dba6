# Threshold's one process. Built in one stage with everything; the other holds a Debian, Node, and the files that serving
# needs (scripts/image.mjs; e2e/image runs them without Docker), and runs as a user without rights on files it cannot
# change. State is in DATA_DIR (/data) unless DATABASE_URL names a PostgreSQL.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
# The lock first: the layer with the dependencies is rebuilt only when it changes.
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json ./packages/client/
COPY packages/cli/package.json ./packages/cli/
COPY packages/absent/ ./packages/absent/
RUN npm ci --ignore-scripts --omit=dev
COPY . .
RUN node scripts/image.mjs /image && mkdir -p /image/.next/cache

FROM debian:bookworm-slim
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=build /image ./
RUN useradd --uid 1000 --no-create-home --shell /usr/sbin/nologin node \
    && printf '#!/bin/sh\ncd /app && INIT_CWD="$OLDPWD" exec node build/server/operator.mjs "$@"\n' > /usr/local/bin/threshold-admin \
    && chmod 755 /usr/local/bin/threshold-admin \
    && mkdir /data && chown node:node /data .next/cache && chmod 700 /data
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
# Whether it can serve requests; an Inngest server that is away is a warning in the body.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, so that signals reach the server itself.
CMD ["node", "build/server/server.mjs"]
