# An image with Assay, swtpm and tpm2-tools, which runs every verb as a user without rights:
#   docker build --tag assay . && docker run --rm assay run --only 'registrar.registration.*'

FROM debian:trixie-slim AS system
RUN apt-get update \
    && apt-get install --yes --no-install-recommends nodejs swtpm tpm2-tools \
    && rm -rf /var/lib/apt/lists/*

FROM system AS build
RUN apt-get update && apt-get install --yes --no-install-recommends npm
WORKDIR /build
# The packages are installed again only if their lock file changes.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY . .
# What npm would publish, and the packages that it needs in the versions of the lock file.
RUN npm pack --silent --pack-destination /tmp \
    && mkdir /opt/assay \
    && tar --extract --gzip --file /tmp/assay-*.tgz --directory /opt/assay --strip-components 1 \
    && cp package-lock.json .npmrc /opt/assay \
    && npm install --prefix /opt/assay --omit=dev --omit=peer --ignore-scripts

FROM system
COPY --from=build /opt/assay /opt/assay
# `/work` is where reports are written; `/state` and `/reports` are volumes of compose.yaml.
RUN useradd --uid 10001 --create-home assay \
    && ln --symbolic /opt/assay/bin/assay.js /usr/local/bin/assay \
    && install --directory --owner assay --group assay --mode 0700 /work /state /reports
USER assay
WORKDIR /work
ENTRYPOINT ["assay"]
CMD ["--help"]
