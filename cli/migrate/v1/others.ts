import { container, persistentMount, V1_DEFAULTS } from "./container";
import { type Fields, stated } from "./fields";

export function template(fields: Fields, isUpdate: boolean): Record<string, unknown> {
  fields.ignore("id", "createdAt", "earned", "runtimeInMin", "isRunpod", "userId", "boundEndpointId");
  fields.lost("readme", "v2's templates have no readme");
  const serverless = fields.flag("isServerless");
  const { disk, ports, ...rest } = container(fields, isUpdate);
  const forPods = serverless !== true;
  if (!forPods) fields.lost("volumeInGb", "serverless workers have no storage of their own: they get network volumes");
  if (!forPods) fields.ignore("volumeMountPath");
  return stated({
    name: fields.text("name"),
    ...rest,
    disk: disk ?? (isUpdate ? undefined : V1_DEFAULTS.disk),
    ports: ports ?? (isUpdate || !forPods ? undefined : [...V1_DEFAULTS.ports]),
    mounts: forPods ? templateMounts(fields, isUpdate) : undefined,
    serverless,
    public: fields.flag("isPublic"),
    category: fields.text("category"),
    startSsh: fields.flag("startSsh"),
    startJupyter: fields.flag("startJupyter"),
    allowedCudaVersions: fields.list("allowedCudaVersions"),
  });
}

function templateMounts(fields: Fields, isUpdate: boolean) {
  if (fields.text("category") !== "CPU") return persistentMount(fields, isUpdate ? undefined : V1_DEFAULTS.volumeInGb);
  fields.lost("volumeInGb", "CPU pods have no storage of their own: use a network volume");
  fields.ignore("volumeMountPath");
  return undefined;
}

export function networkVolume(fields: Fields): Record<string, unknown> {
  fields.ignore("id", "createdAt", "userId");
  return stated({ name: fields.text("name"), size: volumeSize(fields), dataCenter: fields.text("dataCenterId") });
}

const LEAST_SIZE = 10;

function volumeSize(fields: Fields): number | undefined {
  const size = fields.integer("size");
  if (size === undefined || size >= LEAST_SIZE) return size;
  fields.warn("size", `v2 takes ${LEAST_SIZE} GB or more: ${LEAST_SIZE} instead of ${size}`);
  return LEAST_SIZE;
}

export function registry(fields: Fields): Record<string, unknown> {
  fields.ignore("id", "userId");
  const password = fields.text("password");
  fields.warn(
    "password",
    password === undefined
      ? "v1 never showed it: take it from where you keep it"
      : "stands in clear here: give it to the program as a secret of the stack's configuration",
  );
  return stated({ name: fields.text("name"), username: fields.text("username"), password });
}
