package main

import (
	"github.com/pulumi-computecloud/pulumi-computecloud/sdk/go/computecloud"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		models, err := computecloud.NewNetworkVolume(ctx, "models", &computecloud.NetworkVolumeArgs{
			Size:       pulumi.Int(50),
			DataCenter: pulumi.String("EU-RO-1"),
			Type:       pulumi.String("STANDARD"),
		})
		if err != nil {
			return err
		}
		template, err := computecloud.NewTemplate(ctx, "chat", &computecloud.TemplateArgs{
			Image:      pulumi.String("registry.example.com/chat:1.0.0"), // your worker
			Serverless: pulumi.Bool(true),
			Disk:       pulumi.Int(20),
			Env:        pulumi.StringMap{"MODEL_PATH": pulumi.String("/runpod-volume")},
		})
		if err != nil {
			return err
		}
		chat, err := computecloud.NewServerlessEndpoint(ctx, "chat", &computecloud.ServerlessEndpointArgs{
			TemplateId:       template.ID(),
			TemplateRevision: template.Revision, // a new image reaches the endpoint in the same run
			GpuIds:           pulumi.String("ADA_24,AMPERE_24"),
			NetworkVolumeId:  models.ID(),
			WorkersMax:       pulumi.Int(2),
		})
		if err != nil {
			return err
		}
		ctx.Export("endpointId", chat.ID())
		ctx.Export("runUrl", chat.RequestUrls.Run())
		return nil
	})
}
