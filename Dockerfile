FROM node:22.23.1-bookworm-slim AS build
WORKDIR /srv/vitrine
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts

# A test starts every role from what these lines name, and nothing else.
FROM node:22.23.1-bookworm-slim
# The admin host has to be reached from outside of the container: without ADMIN_TOKEN that is health and metrics only.
ENV NODE_ENV=production HOST=0.0.0.0 ADMIN_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /srv/vitrine
COPY --from=build /srv/vitrine/node_modules node_modules
COPY --from=build /srv/vitrine/dist/src dist/src
COPY --from=build /srv/vitrine/dist/projections dist/projections
COPY --from=build /srv/vitrine/dist/readmodels dist/readmodels
COPY --from=build /srv/vitrine/dist/content dist/content
COPY --from=build /srv/vitrine/dist/demo dist/demo
COPY package.json LICENSE CHANGELOG.md CONTRIBUTING.md README.md ./
COPY docs docs
COPY public public
COPY assets assets
COPY content content
COPY demo/words demo/words
COPY scripts/vitrine.mjs scripts/
# "docker compose exec query vitrine status", for example.
RUN ln -s /srv/vitrine/scripts/vitrine.mjs /usr/local/bin/vitrine
# Written to only when the stores are embedded. A volume at /secrets, as in compose.yaml, gets the owner that the folder has here.
RUN install --directory --mode=0700 --owner=node --group=node /data /secrets
VOLUME /data
USER node
EXPOSE 3000 3001 3002
# Reads the same configuration as the program, so it asks the port that ADMIN_PORT names. Often at the start, rarely later.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=3s --retries=3 \
  CMD ["node", "dist/src/main.js", "health"]
ENTRYPOINT ["node", "dist/src/main.js"]
CMD ["serve"]
