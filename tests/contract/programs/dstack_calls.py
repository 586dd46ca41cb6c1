"""dstack's client of the service, and the catalog that gpuhunt reads for it."""

import os

from cases import case, equal, raises
from dstack._internal.core.backends.runpod.api_client import RunpodApiClient, RunpodV2ClientError
from gpuhunt.providers.runpod import RunpodProvider

client = RunpodApiClient(os.environ["RUNPOD_API_KEY"])
POD = {"name": "dstack", "cloud": "SECURE", "container_disk_in_gb": 20, "image_name": "repo/image:1"}
RUN = {"entrypoint": ["/bin/sh"], "cmd": ["-c", "sleep 1"], "ports": ["22/tcp"], "env": {"A": "1"}}
NAME = "NVIDIA GeForce RTX 4090"


@case
def key():
    equal((client.validate_api_key(), RunpodApiClient("wrong").validate_api_key()), (True, False))


@case
def gpu_pod():
    limits = {"min_cpu_count_per_gpu": 2, "min_memory_in_gb_per_gpu": 8}
    pod = client.create_pod(**POD, **RUN, **limits, gpu_type_id=NAME, gpu_count=1, data_center_ids=["EU-RO-1"])
    equal(client.get_pod(pod["id"])["status"], "RUNNING")
    equal((client.terminate_pod(pod["id"]), client.terminate_pod(pod["id"])), (True, False))
    equal(client.get_pod(pod["id"]), None)


@case
def cpu_pod():
    pod = client.create_pod(**POD, **RUN, cpu_type_id="cpu3c", cpu_count=2)
    equal(client.terminate_pod(pod["id"]), True)


@case
def spot_pod():
    pod = client.create_gpu_pod_graphql("spot", "repo/image:1", NAME, "SECURE", container_disk_in_gb=20, bid_per_gpu=0.3)
    equal(client.terminate_pod(pod["id"]), True)


@case
def pod_on_a_volume():
    volume = client.create_network_volume(name="dstack", data_center_id="EU-RO-1", size=10)
    equal(client.get_network_volume(volume["id"])["size"], 10)
    mount = {"network_volume_id": volume["id"], "volume_mount_path": "/data"}
    pod = client.create_pod(**POD, **RUN, **mount, gpu_type_id=NAME, data_center_ids=["EU-RO-1"])
    equal(client.get_pod(pod["id"])["mounts"]["network"], [{"volumeId": volume["id"], "path": "/data"}])
    equal((client.terminate_pod(pod["id"]), client.delete_network_volume(volume["id"])), (True, True))
    equal((client.get_network_volume(volume["id"]), client.delete_network_volume(volume["id"])), (None, False))


@case
def registry():
    made = client.create_container_registry_credentials(name="dstack", username="u", password="p")
    equal([each["name"] for each in client.list_container_registry_credentials()], ["dstack"])
    client.delete_container_registry_credentials(made["id"])
    again = lambda: client.delete_container_registry_credentials(made["id"])
    equal("Registry auth not found" in raises(RunpodV2ClientError, again), True)


@case
def cluster():
    size = {"gpu_type_id": "NVIDIA H100 80GB HBM3", "gpu_count_per_pod": 8, "pod_count": 2}
    made = client.create_cluster(
        name="dstack", cluster_type="TRAINING", **size, container_disk_in_gb=20, image_name="repo/image:1", **RUN
    )
    equal(len(client.list_cluster_pods(made["id"])), 2)
    equal((client.delete_cluster(made["id"]), client.delete_cluster(made["id"])), (True, False))


@case
def offers():
    found = RunpodProvider().get()
    equal({"RTX4090", "H100"} <= {offer.gpu_name for offer in found}, True)
    equal(any(offer.gpu_count == 0 and offer.cpu for offer in found), True)
