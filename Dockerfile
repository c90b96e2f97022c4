# docker build -t scraper-data-api .
# docker run -p 127.0.0.1:3000:3000 -v "$PWD/dumps:/data:ro" scraper-data-api
# Flags go behind the image's name: `scraper-data-api --watch --rate-limit 0`. It answers to names of this machine, and to each
# one of `--allowed-host NAME`: a website that rebinds its own name must not read the dump.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY test/client/package.json test/client/
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/THIRD-PARTY-NOTICES.txt ./
COPY --from=build /app/dist dist
RUN mkdir -p /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js", "--host", "0.0.0.0", "--allowed-host", "localhost", "--snapshots", "/data"]
