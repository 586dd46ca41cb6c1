"""Kestrel's clients, which accept only answers of the service's newest schema."""

import os

from cases import case, equal
from kestrel_cloud_runpod.clients import RunpodControlPlaneClient, RunpodServerlessClient
from kestrel_cloud_runpod.models import EndpointCreateRequest, EndpointUpdateRequest, PodCreateRequest

KEY, ECHO, SLOW, FAIL = (os.environ[name] for name in ("RUNPOD_API_KEY", "ECHO", "SLOW", "FAIL"))
client = RunpodControlPlaneClient(api_key=KEY)
queue = RunpodServerlessClient(api_key=KEY)
GPU = "NVIDIA GeForce RTX 4090"


@case
def gpus():
    equal(GPU in [offer.id for offer in client.list_gpus()], True)
    equal(client.get_gpu(GPU).id, GPU)


@case
def pod():
    made = client.create_pod(PodCreateRequest("kestrel", "repo/image:1", GPU, ports=("8000/http",), min_cuda_version="12.4"))
    equal(client.get_pod(made.id).status, "RUNNING")
    equal([each.id for each in client.list_pods()], [made.id])
    equal(client.pod_action(made.id, "stop").status, "EXITED")
    equal(client.pod_action(made.id, "start").id, made.id)
    equal(client.pod_action(made.id, "terminate"), None)
    equal(client.list_pods(), ())


@case
def pod_logs():
    made = client.create_pod(PodCreateRequest("kestrel", "repo/image:1", GPU))
    equal(len(list(client.iter_pod_logs(made.id, stream_window_seconds=1))) > 0, True)
    client.delete_pod(made.id)


@case
def endpoint():
    scaling = {"type": "QUEUE_DELAY", "queueDelay": 1}
    volume = os.environ["VOLUME"]
    made = client.create_endpoint(
        EndpointCreateRequest("kestrel", "repo/image:1", ("ADA_24",), "QUEUE", scaling, network_volume_ids=(volume,))
    )
    equal(client.get_endpoint(made.id).id, made.id)
    equal(made.id in [each.id for each in client.list_endpoints()], True)
    client.update_endpoint(made.id, EndpointUpdateRequest(workers_max=0))
    equal(client.list_endpoint_workers(made.id)["workers"], [])
    client.delete_endpoint(made.id)


@case
def volumes():
    equal(os.environ["VOLUME"] in [volume.id for volume in client.list_network_volumes()], True)


@case
def billing():
    client.pod_billing(bucket_size="day", last_n=1)
    client.serverless_billing(bucket_size="day", last_n=1)


@case
def jobs():
    job = queue.run(ECHO, {"prompt": "hello"}, ttl_ms=600_000)
    equal(queue.status(ECHO, job.id).status, "COMPLETED")
    equal(queue.cancel(SLOW, queue.run(SLOW, {"prompt": "wait"}).id).status, "CANCELLED")
    failed = queue.run(FAIL, {"prompt": "hello"})
    equal(queue.status(FAIL, failed.id).status, "FAILED")
    equal(queue.retry(FAIL, failed.id).id, failed.id)
    equal(sorted(queue.health(ECHO)), ["jobs", "workers"])
