const fields = `
  id name gpuIds templateId type gpuCount idleTimeout locations networkVolumeId
  scalerType scalerValue workersMin workersMax createdAt`;

export const listEndpoints = `query Endpoints { myself { endpoints {${fields}
} } }`;

export const serverlessDiscount = `query ServerlessDiscount {
  myself { serverlessDiscount { discountFactor type expirationDate } }
}`;

export const saveEndpoint = `mutation SaveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) {${fields}
} }`;

export const deleteEndpoint = `mutation DeleteEndpoint($id: String!) { deleteEndpoint(id: $id) }`;

export const updateRegistry = `mutation UpdateRegistryAuth($input: UpdateRegistryAuthInput!) {
  updateRegistryAuth(input: $input) { id name }
}`;

/** Reads many endpoints by id in one call: `e0`, `e1`, … */
export function endpointsById(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const variables = indexes.map((index) => `$id${index}: String!`).join(", ");
  const reads = indexes.map((index) => `e${index}: endpoint(id: $id${index}) { ...shown }`).join("\n");
  return `query EndpointsById(${variables}) { myself {\n${reads}\n} }\nfragment shown on Endpoint {${fields}\n}`;
}
