/*
 * Programs of `count` resources each, all of one shape: half of them need one of the other half. `update` is another
 * value for every tenth resource.
 */
import type { Program } from "../run/program";

export interface Shape {
  readonly count: number;
  /** What every tenth resource declares. */
  readonly changed: number;
}

const NOTHING = `
  exports.handler = () => ({
    check: async (olds, news) => ({ inputs: news }),
    diff: async (id, olds, news) => ({ changes: olds.value !== news.value }),
    create: async (inputs) => ({ id: "x", outs: inputs }),
    read: async (id, props) => ({ id, props, inputs: props }),
    update: async (id, olds, news) => ({ outs: news }),
    delete: async () => {},
  });
`;

/** What the engine itself takes: dynamic resources that do nothing. */
export const floor = ({ count, changed }: Shape): Program => ({
  files: {
    "nothing.js": NOTHING,
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const __provider = \`exports.handler=()=>require("\${__dirname}/nothing.js").handler()\`;
      class Nothing extends pulumi.CustomResource {
        constructor(name, inputs) {
          super("pulumi-nodejs:dynamic/floor:Nothing", name, { ...inputs, __provider });
        }
      }
      for (let i = 0; i < ${count / 2}; i++) {
        const first = new Nothing("t" + i, { value: 1 });
        new Nothing("e" + i, { first: first.id, value: i % 5 === 0 ? ${changed} : 1 });
      }
    `,
  },
});

const ARGUMENTS = {
  template: {
    name: "template-1a2b3c4",
    image: "example.com/a:1",
    args: "",
    ports: [],
    env: {},
    mounts: {},
    serverless: true,
    public: false,
    category: "NVIDIA",
    startSsh: true,
    startJupyter: false,
  },
  endpoint: {
    name: "endpoint-1a2b3c4",
    gpuIds: "ADA_24",
    gpuCount: 1,
    type: "QB",
    locations: "",
    idleTimeout: 1,
    scalerType: "QUEUE_DELAY",
    scalerValue: 4,
    workersMin: 0,
    workersMax: 3,
    flashBootType: "FLASHBOOT",
  },
} as const;
const OUTPUTS = {
  template: { disk: 10, registry: "", allowedCudaVersions: [], revision: "0123456789" },
  endpoint: { networkVolumeId: "", templateRevision: "0123456789", requestUrls: "https://a/1", revision: "0123456789" },
} as const;

/**
 * The same for resources that have as many properties as ours, of the same length: what the engine and its SDK take to
 * announce, compare and record them, whoever provides them.
 */
export const idle = ({ count, changed }: Shape): Program => ({
  files: {
    "nothing.js": `
      const args = ${JSON.stringify(ARGUMENTS)};
      const outputs = ${JSON.stringify(OUTPUTS)};
      const inputsIn = (props) =>
        Object.fromEntries(Object.entries(props).filter(([name]) => !(name in outputs[props.kind])));
      exports.handler = () => ({
        check: async (olds, news) => ({ inputs: { ...args[news.kind], ...news } }),
        diff: async (id, olds, news) => ({ changes: olds.idleTimeout !== news.idleTimeout }),
        create: async (inputs) => ({ id: "x", outs: { ...inputs, ...outputs[inputs.kind] } }),
        read: async (id, props) => ({ id, props, inputs: inputsIn(props) }),
        update: async (id, olds, news) => ({ outs: { ...news, ...outputs[news.kind] } }),
        delete: async () => {},
      });
    `,
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const __provider = \`exports.handler=()=>require("\${__dirname}/nothing.js").handler()\`;
      const announced = (kind) => Object.fromEntries(kind.map((name) => [name, undefined]));
      const names = {
        template: announced(${JSON.stringify(Object.keys({ ...ARGUMENTS.template, ...OUTPUTS.template }))}),
        endpoint: announced(${JSON.stringify(Object.keys({ ...ARGUMENTS.endpoint, ...OUTPUTS.endpoint }))}),
      };
      class Nothing extends pulumi.CustomResource {
        constructor(name, inputs, options) {
          const properties = { ...names[inputs.kind], ...inputs, __provider };
          super("pulumi-nodejs:dynamic/floor:Nothing", name, properties, options);
        }
      }
      for (let i = 0; i < ${count / 2}; i++) {
        const options = { additionalSecretOutputs: ["env"] };
        const first = new Nothing("t" + i, { kind: "template", image: "example.com/a:1" }, options);
        new Nothing("e" + i, { kind: "endpoint", templateId: first.id, idleTimeout: i % 5 === 0 ? ${changed} : 1 });
      }
    `,
  },
});

const pairs = (start: string, options: string, { count, changed }: Shape): Program => `
  const { Provider, ServerlessEndpoint, Template } = require("pulumi-computecloud");
  ${start}
  for (let i = 0; i < ${count / 2}; i++) {
    const template = new Template("t" + i, { image: "example.com/a:1", serverless: true }${options});
    const idleTimeout = i % 5 === 0 ? ${changed} : 1;
    new ServerlessEndpoint("e" + i, { templateId: template.id, gpuIds: "ADA_24", idleTimeout }${options});
  }
`;

export const dynamic = (shape: Shape): Program => pairs("", "", shape);

/** The plugin makes what has an explicit provider. */
export const native = (shape: Shape): Program =>
  pairs('const provider = new Provider("cloud");', ", { provider }", shape);

/** Of the service's own provider. It deletes an endpoint without taking its workers away, which the service refuses: so there are none. */
export const official = ({ count, changed }: Shape): Program => `
  const { Endpoint, Template } = require("@runpod/pulumi");
  for (let i = 0; i < ${count / 2}; i++) {
    const image = { imageName: "example.com/a:1", containerDiskInGb: 10, volumeInGb: 0, isServerless: true };
    const { id: templateId } = new Template("t" + i, { name: "template-" + i, ...image });
    const idleTimeout = i % 5 === 0 ? ${changed} : 1;
    new Endpoint("e" + i, { name: "endpoint-" + i, templateId, gpuIds: "ADA_24", idleTimeout, workersMax: 0 });
  }
`;
