# The same steps, without Docker and followed by a real start: npm run check:image
# glibc in both stages: the native password hashing is chosen for it at installation.

FROM node:24-bookworm-slim AS build
WORKDIR /app
# Dependencies first, so that a change of the code alone does not install them again.
COPY package.json package-lock.json .npmrc ./
# Nothing here needs a dependency's install script, so none gets to run.
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY migrations ./migrations
COPY src ./src
COPY docs/asyncapi.yaml ./docs/
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts
# The Node that a checkout brings along for machines with an older one; the image has its own.
RUN rm -rf node_modules/node-linux-* node_modules/.bin/node dist/.tsbuildinfo

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=./data
WORKDIR /app
# For what is not in the database: files and recordings without STORAGE_URL, mail without SMTP_URL, what is being
# transcribed. Mount a volume here to keep it.
RUN mkdir data && chmod 1777 data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Served at /docs/asyncapi.yaml.
COPY --from=build /app/docs ./docs
USER node
EXPOSE 3000
# Longer than the first start on an empty database takes.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm: it is sent the SIGTERM and shuts down in order.
# The young generation (MiB): with more, V8 lets that much more of finished transfers lie about.
CMD ["node", "--max-semi-space-size=16", "dist/src/main.js"]
