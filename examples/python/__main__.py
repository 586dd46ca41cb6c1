import pulumi
import pulumi_computecloud as cloud

config = pulumi.Config("fleet")

registry = cloud.Registry(
    "images",
    username=config.get("registryUsername") or "ci",
    password=config.get_secret("registryPassword") or pulumi.Output.secret("change-me"),
)
models = cloud.NetworkVolume("models", size=100, data_center="EU-RO-1")


def service(name: str, image: str, gpu_ids: str, workers_max: int) -> cloud.ServerlessEndpoint:
    """An endpoint with a template of its own."""
    template = cloud.Template(
        name,
        image=image,
        registry=registry.id,
        serverless=True,
        disk=20,
        env={"MODEL_PATH": "/runpod-volume"},
    )
    return cloud.ServerlessEndpoint(
        name,
        template_id=template.id,
        template_revision=template.revision,
        gpu_ids=gpu_ids,
        network_volume_id=models.id,
        workers_max=workers_max,
        idle_timeout=5,
    )


chat = service("chat", "registry.example.com/chat:1.4.0", "ADA_24,AMPERE_24", 3)
embed = service("embed", "registry.example.com/embed:2.0.1", "AMPERE_16", 2)

pulumi.export("endpointIds", {"chat": chat.id, "embed": embed.id})
pulumi.export("runUrls", {"chat": chat.request_urls["run"], "embed": embed.request_urls["run"]})
