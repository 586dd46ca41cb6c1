/*
 * Every document of the client. They are plain strings: a program that makes no GraphQL call loads no GraphQL package. The
 * comments mark them for editors, as `gql` would.
 */

const fields = `
  id name gpuIds templateId type gpuCount idleTimeout locations networkVolumeId
  scalerType scalerValue workersMin workersMax createdAt modelReferences`;

/** A query, and the same without the newer fields: not every service has them, and not every key may read them. */
export interface Query {
  readonly document: string;
  readonly older: string;
}

const query = (document: (fields: string) => string): Query => ({
  document: document(`${fields} flashBootType networkVolumeIds { networkVolumeId }`),
  older: document(fields),
});

export const listEndpoints = query(
  (selection) => /* GraphQL */ `query Endpoints { myself { endpoints {${selection}
} } }`,
);

export const serverlessDiscount = /* GraphQL */ `query ServerlessDiscount {
  myself { serverlessDiscount { discountFactor type expirationDate } }
}`;

export const saveEndpoint = /* GraphQL */ `mutation SaveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) {${fields}
} }`;

export const deleteEndpoint = /* GraphQL */ `mutation DeleteEndpoint($id: String!) { deleteEndpoint(id: $id) }`;

/** Saves many endpoints in one call: `e0`, `e1`, … with the variables `input0`, `input1`, … */
export function saveEndpoints(count: number): string {
  const [variables, saves] = several(count, (index) => [
    `$input${index}: EndpointInput!`,
    `e${index}: saveEndpoint(input: $input${index}) { ...shown }`,
  ]);
  return /* GraphQL */ `mutation SaveEndpoints(${variables}) {\n${saves}\n}\nfragment shown on Endpoint {${fields}\n}`;
}

/**
 * Deletes many endpoints in one call: `e0`, `e1`, … with the variables `id0`, `id1`, … Some are saved before, as `s0`, with the
 * variable `input0`: the fields of a mutation are executed in order.
 */
export function deleteEndpoints(isSaved: readonly boolean[]): string {
  const [variables, deletes] = several(isSaved.length, (index) => {
    const [variable, field] = [`$id${index}: String!`, `e${index}: deleteEndpoint(id: $id${index})`];
    if (isSaved[index] !== true) return [variable, field];
    return [
      `${variable}, $input${index}: EndpointInput!`,
      `s${index}: saveEndpoint(input: $input${index}) { id }\n${field}`,
    ];
  });
  return /* GraphQL */ `mutation DeleteEndpoints(${variables}) {\n${deletes}\n}`;
}

export const updateRegistry = /* GraphQL */ `mutation UpdateRegistryAuth($input: UpdateRegistryAuthInput!) {
  updateRegistryAuth(input: $input) { id name }
}`;

/** Reads many endpoints by id in one call: `e0`, `e1`, … with the variables `id0`, `id1`, … */
export function endpointsById(count: number): Query {
  const [variables, reads] = several(count, (index) => [
    `$id${index}: String!`,
    `e${index}: endpoint(id: $id${index}) { ...shown }`,
  ]);
  return query(
    (selection) => /* GraphQL */ `query EndpointsById(${variables}) { myself {\n${reads}\n} }
fragment shown on Endpoint {${selection}\n}`,
  );
}

/** The variables and the fields of a document that repeats one field. */
function several(count: number, each: (index: number) => readonly [string, string]): [string, string] {
  const all = Array.from({ length: count }, (_, index) => each(index));
  return [all.map(([variable]) => variable).join(", "), all.map(([, field]) => field).join("\n")];
}
