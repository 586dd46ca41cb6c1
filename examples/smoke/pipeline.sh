#!/bin/sh
# The gate as a step of its own: it also proves an endpoint that this run of `pulumi up` did not change.
set -eu
pulumi up --yes --non-interactive
npx pulumi-computecloud smoke "$(pulumi stack output endpointId)" \
  --input input.json --expect expect.json --timeout 3m --json > smoke.json
