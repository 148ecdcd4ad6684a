# `npm run check:image` runs the same steps without Docker and starts the result.
# Both stages use glibc, because the native password hashing module is installed for it.

# A version, not only `24`: a build of the same commit has the same Node. Another base needs glibc and bash.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Dependencies first, so that a change of the code does not install them again.
COPY package.json package-lock.json .npmrc ./
# .npmrc skips the install scripts of dependencies: none needs one.
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY migrations ./migrations
COPY src ./src
COPY web ./web
COPY scripts/build-web.mjs ./scripts/
COPY docs/asyncapi.yaml ./docs/
RUN npm run build
RUN npm prune --omit=dev
# Remove the Node binary that is a package for machines with an older Node; the image has its own. npm keeps packages that are
# development dependencies here and optional for others, who do not need them to run.
RUN rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/typescript node_modules/@types/luxon node_modules/zod dist/.tsbuildinfo

FROM ${NODE_IMAGE}
# `docker build --build-arg VERSION=0.1.0 --build-arg REVISION=$(git rev-parse HEAD)` names the release and the commit.
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Video call queue" \
  org.opencontainers.image.description="Queue service for video calls with customers" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production DATA_DIR=./data
WORKDIR /app
# Data outside the database: files and recordings without STORAGE_URL, mail without SMTP_URL, recordings that are being
# transcribed. Mount a volume here to keep it.
RUN mkdir data && chmod 1777 data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY scripts/image/healthcheck.sh ./
# Served at /docs/asyncapi.yaml.
COPY --from=build /app/docs ./docs
USER node
EXPOSE 3000
# A start answers from its first second, also while it migrates. The start period is for slow machines.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["bash", "healthcheck.sh"]
# Node instead of npm, so that it receives SIGTERM and shuts down in order.
# Limits the young generation (MiB): with a larger one, V8 keeps more buffers of finished transfers in memory. Without pretenuring,
# garbage of requests stays in it.
CMD ["node", "--max-semi-space-size=16", "--no-allocation-site-pretenuring", "dist/src/main.js"]
