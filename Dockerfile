FROM node:24.21.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
RUN npm prune --omit=dev
# Next's caches, compiler and source maps, which only builds and debuggers need, and the browser driver that it may use.
RUN rm -rf .next/cache node_modules/@next/swc-* node_modules/playwright* && find node_modules/next -name '*.map' -delete

# With npm for the commands, such as `npm run keys`, and PostgreSQL's client for backups. Node itself comes with the
# dependencies, in the version that the tests run on.
FROM node:24.21.0-trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
ENV PATH=/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin DATA_DIR=/data HOME=/tmp MALLOC_ARENA_MAX=2 npm_config_update_notifier=false
RUN install -d -m 700 -o 10001 -g 10001 /data /backups
COPY --from=build /app /app
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "--heap-growing-percent=50", "lib/server/main.ts"]
