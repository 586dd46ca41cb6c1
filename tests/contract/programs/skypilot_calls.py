"""SkyPilot's provisioning and its catalog of the service, as far as they need no server of its own."""

import os

import runpod
from cases import case, equal, raises
from sky.catalog.data_fetchers import fetch_runpod
from sky.provision.runpod import utils, volume as volumes

runpod.api_key = os.environ["RUNPOD_API_KEY"]
NAME = "sky-1-head"


def launch(**others):
    options = {
        "cluster_name": "sky-1",
        "node_type": "head",
        "instance_type": "1x_RTX4090_SECURE",
        "region": "RO",
        "zone": "EU-RO-1",
        "disk_size": 20,
        "image_name": "repo/image:1",
        "ports": [8000],
        "public_key": "ssh-ed25519 AAAA me",
        "preemptible": False,
        "bid_per_gpu": 0.3,
        "docker_login_config": None,
        "network_volume_id": None,
        "volume_mount_path": None,
    }
    return utils.launch(**{**options, **others})


@case
def pod():
    made = launch()
    shown = utils.list_instances()
    equal([shown[made]["status"], shown[made]["name"]], ["RUNNING", NAME])
    utils.remove(made)
    equal(utils.list_instances(), {})


@case
def spot_pod():
    utils.remove(launch(preemptible=True))


@case
def cpu_pod():
    utils.remove(launch(instance_type="cpu3c-2-4", node_type="worker"))


@case
def gpus():
    equal(any(row["AcceleratorName"] == "RTX4090" for row in fetch_runpod.get_gpu_instance_configurations("NVIDIA GeForce RTX 4090")), True)


@case
def cpus():
    equal(len(fetch_runpod.get_cpu_instance_configurations("cpu3c")) > 0, True)
