FROM node:22-slim AS build
WORKDIR /srv/vitrine
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts && rm -rf dist/test dist/bench dist/examples

FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /srv/vitrine
COPY --from=build /srv/vitrine/node_modules node_modules
COPY --from=build /srv/vitrine/dist dist
COPY package.json CHANGELOG.md README.md ./
COPY docs docs
COPY public public
COPY assets assets
COPY content content
COPY demo/words demo/words
# The only place that is ever written to, and only when the stores are embedded.
RUN install --directory --mode=0700 --owner=node --group=node /data
VOLUME /data
USER node
EXPOSE 3000 3001
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3002/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/main.js"]
CMD ["serve"]
