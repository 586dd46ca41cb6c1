import * as pulumi from "@pulumi/pulumi";
import { GatedEndpoint } from "pulumi-computecloud";

const config = new pulumi.Config("api");

const api = new GatedEndpoint("api", {
  type: "LOAD_BALANCER",
  image: `registry.example.com/api:${config.get("version") ?? "1.0.0"}`,
  cpu: [{ id: "cpu5c", vcpuCount: 4 }],
  env: { PORT: "8000" },
  ports: ["8000/http"],
  workers: { max: 3 },
  scaling: { type: "REQUEST_COUNT", requestCount: 16 },
  gate: {
    request: {
      path: "/predict",
      body: { text: "ping" },
      expect: { contentType: "application/json" },
      requests: 5,
      total: { p95: "2s" },
      timeout: "10m",
    },
  },
});

export const url = api.requestUrls.base;
