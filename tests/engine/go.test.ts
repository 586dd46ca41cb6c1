// @long: another language.
/* A Go program, with the SDK that is generated from the package's schema, through its life. */
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { projectFiles } from "../../cli/project";
import { version } from "../../package.json";
import { goFiles, goHost, withGoSdk } from "../../tools/languages/go";
import { newStack } from "../../tools/run/stack";
import { openAccount } from "../harness/account";
import { WITHOUT_QUOTAS } from "../harness/place";
import { leavesNothing } from "../harness/scenario";

const program = (size: number) => `package main

import (
	"github.com/pulumi-computecloud/pulumi-computecloud/sdk/go/computecloud"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		models := must(computecloud.NewNetworkVolume(ctx, "models", &computecloud.NetworkVolumeArgs{
			Size: pulumi.Int(${size}), DataCenter: pulumi.String("EU-RO-1"),
		}))
		images := must(computecloud.NewRegistry(ctx, "images", &computecloud.RegistryArgs{
			Username: pulumi.String("ci"), Password: pulumi.String("hunter2"),
		}))
		chat := must(computecloud.NewTemplate(ctx, "chat", &computecloud.TemplateArgs{
			Image: pulumi.String("example.com/chat:1"), Serverless: pulumi.Bool(true), Registry: images.ID(),
		}))
		endpoint := must(computecloud.NewServerlessEndpoint(ctx, "chat", &computecloud.ServerlessEndpointArgs{
			TemplateId: chat.ID(), TemplateRevision: chat.Revision,
			GpuIds: pulumi.String("AMPERE_16"), NetworkVolumeId: models.ID(),
		}))
		must(computecloud.NewServerlessFleet(ctx, "fleet", &computecloud.ServerlessFleetArgs{
			Defaults: &computecloud.FleetDefaultsArgs{
				TemplateId: chat.ID(), GpuIds: pulumi.String("ADA_24"), WorkersMax: pulumi.Int(1),
			},
			Endpoints: computecloud.FleetEndpointMap{"a": &computecloud.FleetEndpointArgs{}, "b": &computecloud.FleetEndpointArgs{}},
		}))
		must(computecloud.NewGatedEndpoint(ctx, "gated", &computecloud.GatedEndpointArgs{
			Image:   pulumi.String("emulator/echo:1"),
			Gpu:     &computecloud.EndpointGpuArgs{Pools: pulumi.StringArray{pulumi.String("AMPERE_16")}},
			Scaling: &computecloud.ScalingArgs{Type: pulumi.String("QUEUE_DELAY"), QueueDelay: pulumi.Float64(4)},
			Workers: &computecloud.EndpointWorkersArgs{Min: pulumi.Int(0), Max: pulumi.Int(2)},
			Gate: &computecloud.MeasuringGateArgs{
				Input:  pulumi.String(\`{"text":"ping"}\`),
				Expect: pulumi.String(\`{"output":{"text":"ping"}}\`),
			},
		}))
		l4 := computecloud.GetGpuTypeOutput(ctx, computecloud.GetGpuTypeOutputArgs{Id: pulumi.String("NVIDIA L4")})
		ctx.Export("memory", l4.Memory())
		ctx.Export("run", endpoint.RequestUrls.Run())
		return nil
	})
}
`;

test("goes up, stays, mends what was changed elsewhere, and goes", async () => {
  const host = await goHost();
  if (host === undefined) return;
  await using emulator = await openAccount(WITHOUT_QUOTAS, "running");
  const { service } = emulator;
  await using stack = await newStack({ program: { files: goFiles(program(10)) }, emulator });
  const env = await withGoSdk(host, stack);
  // The gated endpoint is a component with its candidate, its template and its gate.
  const all = 5 + 6;
  expect((await stack.up({ env })).changes).toEqual({ create: all });
  expect(await stack.outputs()).toEqual({ memory: 24, run: expect.stringMatching(/\/run$/) });
  expect(await stack.stateText()).not.toMatch(/hunter/);
  expect((await service.state()).endpoints).toHaveLength(5);

  await service.forgetCalls();
  expect((await stack.up({ env })).changes).toEqual({ same: all });
  expect(await service.writes()).toEqual([]);

  const chat = async () => (await service.state()).templates.find(({ name }) => name?.startsWith("chat-"));
  await service.rest("PATCH", `/v2/templates/${(await chat())?.id}`, { image: "example.com/else:1" });
  expect((await stack.up({ env, args: ["--refresh"] })).changes).toMatchObject({ update: expect.any(Number) });
  expect(await chat()).toMatchObject({ image: "example.com/chat:1" });

  await stack.edit({ files: goFiles(program(20)) });
  const preview = await stack.preview({ env, args: ["--diff"] });
  expect(preview.stdout).toMatch(/~ size: 10 => 20/);

  await leavesNothing(stack, service, { env });
});

test("is what init writes, with the SDK where `pulumi install` generates it", async () => {
  const host = await goHost();
  if (host === undefined) return;
  await using emulator = await openAccount(WITHOUT_QUOTAS, "running");
  const written = await projectFiles("fleet", "go");
  expect(parse(written.get("Pulumi.yaml") ?? "")).toMatchObject({
    packages: { computecloud: `computecloud@${version}` },
  });
  const files = { ...goFiles(written.get("main.go") ?? ""), "go.mod": written.get("go.mod") ?? "" };
  await using stack = await newStack({ program: { files }, emulator });
  const env = await withGoSdk(host, stack, "sdks/computecloud");
  expect((await stack.up({ env })).changes).toEqual({ create: 3 });
  expect(await stack.outputs()).toEqual({ endpointId: expect.any(String), runUrl: expect.stringMatching(/\/run$/) });
  await leavesNothing(stack, emulator.service, { env });
});
