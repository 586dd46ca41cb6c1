import { container, persistentMount, V1_DEFAULTS, volumeGb } from "./container";
import { type Fields, stated } from "./fields";

export function template(fields: Fields): Record<string, unknown> {
  fields.ignore("id", "createdAt", "earned", "runtimeInMin", "isRunpod", "userId", "boundEndpointId");
  fields.lost("readme", "v2's templates have no readme");
  const serverless = fields.flag("isServerless");
  const category = fields.text("category");
  const forPods = serverless !== true;
  const { disk, ports, volumeInGb } = V1_DEFAULTS;
  const defaults = fields.isUpdate ? {} : forPods ? { disk, ports } : { disk };
  if (!forPods) fields.lost("volumeInGb", "serverless workers have no storage of their own: they get network volumes");
  if (!forPods) fields.ignore("volumeMountPath");
  return stated({
    name: fields.text("name"),
    ...container(fields, defaults),
    mounts: forPods ? persistentMount(fields, category === "CPU", fields.isUpdate ? undefined : volumeInGb) : undefined,
    serverless,
    public: fields.flag("isPublic"),
    category,
    startSsh: fields.flag("startSsh"),
    startJupyter: fields.flag("startJupyter"),
    allowedCudaVersions: fields.list("allowedCudaVersions"),
  });
}

export function networkVolume(fields: Fields): Record<string, unknown> {
  fields.ignore("id", "createdAt", "userId");
  const size = fields.integer("size");
  return stated({
    name: fields.text("name"),
    size: size === undefined ? size : volumeGb(fields, "size", size),
    dataCenter: fields.text("dataCenterId"),
  });
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
