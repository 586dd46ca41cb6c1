"""podtrack: a register of pods that is compared with the account over GraphQL."""

import os
import subprocess
import sys
from pathlib import Path

import podtrack
from cases import case, equal

NAME = "NVIDIA GeForce RTX 4090"
DEPLOY = "mutation($i:PodFindAndDeployOnDemandInput!){podFindAndDeployOnDemand(input:$i){id}}"
INPUT = {"name": "tracked", "imageName": "repo/image:1", "gpuTypeId": NAME, "gpuCount": 1, "containerDiskInGb": 10}


def command(*arguments):
    done = subprocess.run([sys.executable, "-m", "podtrack", *arguments], capture_output=True, text=True)
    equal((done.returncode, done.stderr if done.returncode else ""), (0, ""))
    return done.stdout


@case
def key():
    source = Path.home() / "key"
    source.write_text(os.environ["RUNPOD_API_KEY"])
    command("adopt-key", "--from", str(source))
    equal("main" in command("accounts"), True)


@case
def pods():
    pod = podtrack.gql(DEPLOY, {"i": INPUT})["podFindAndDeployOnDemand"]["id"]
    equal([each["pod_id"] for each in podtrack.fetch_remote_pods()], [pod])
    equal(podtrack.pod_desired_status(pod), "RUNNING")
    command("register", pod, "--gpu", "RTX 4090", "--no-artifacts")
    equal(pod in command("list", "--all"), True)
    command("reconcile")
    podtrack.terminate_remote(pod)
    equal((podtrack.fetch_remote_pods(), podtrack.pod_desired_status(pod)), ([], None))


@case
def data_centers():
    equal("EU-RO-1" in [center["id"] for center in podtrack.datacenters_for_gpu(NAME)], True)


@case
def volumes():
    volume = podtrack.create_network_volume("podtrack", 10, "EU-RO-1")
    equal(volume in podtrack.list_network_volumes(), True)
    podtrack.delete_network_volume(volume["id"])
    equal(volume in podtrack.list_network_volumes(), False)
