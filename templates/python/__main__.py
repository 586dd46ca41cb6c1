import pulumi
import pulumi_computecloud as cloud

models = cloud.NetworkVolume("models", size=50, data_center="EU-RO-1", type="STANDARD")

template = cloud.Template(
    "chat",
    image="registry.example.com/chat:1.0.0",  # your worker
    serverless=True,
    disk=20,
    env={"MODEL_PATH": "/runpod-volume"},
)

chat = cloud.ServerlessEndpoint(
    "chat",
    template_id=template.id,
    template_revision=template.revision,  # a new image reaches the endpoint in the same run
    gpu_ids="ADA_24,AMPERE_24",
    network_volume_id=models.id,
    workers_max=2,
)

pulumi.export("endpointId", chat.id)
pulumi.export("runUrl", chat.request_urls["run"])
