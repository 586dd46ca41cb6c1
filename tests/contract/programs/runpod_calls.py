"""What scripts do with the service's Python client, as its own examples show it."""

import os

# Its asynchronous calls don't ask the proxy of the environment.
os.environ["RUNPOD_ENDPOINT_BASE_URL"] = os.environ["QUEUE_URL"]

import runpod
import runpod.error
from cases import case, equal, raises
from runpod import AsyncioEndpoint, http_client

runpod.api_key = os.environ["RUNPOD_API_KEY"]
ECHO, STREAM, SLOW, FAIL = (os.environ[name] for name in ("ECHO", "STREAM", "SLOW", "FAIL"))
GPU = "NVIDIA GeForce RTX 3070"


@case
def user():
    equal(sorted(runpod.get_user()), ["id", "networkVolumes", "pubKey"])


@case
def user_settings():
    equal(runpod.update_user_settings("ssh-ed25519 AAAA me")["pubKey"], "ssh-ed25519 AAAA me")
    equal(runpod.get_user()["pubKey"], "ssh-ed25519 AAAA me")


@case
def gpus():
    equal(GPU in [gpu["id"] for gpu in runpod.get_gpus()], True)


@case
def gpu():
    found = runpod.get_gpu("NVIDIA A100 80GB PCIe")
    equal((found["maxGpuCount"], found["secureCloud"], found["memoryInGb"]), (8, True, 80))


@case
def unknown_gpu():
    raises(ValueError, lambda: runpod.get_gpu("NVIDIA Nothing"))


@case
def pods():
    pod = runpod.create_pod("test", "runpod/stack", GPU, volume_in_gb=10, ports="8888/http, 666/tcp", env={"A": "1"})
    equal("A=1" in pod["env"], True)
    equal(sorted(pod["machine"]), ["podHostId"])
    equal([each["id"] for each in runpod.get_pods()], [pod["id"]])
    shown = runpod.get_pod(pod["id"])
    equal((shown["desiredStatus"], shown["volumeInGb"], shown["volumeMountPath"]), ("RUNNING", 10, "/runpod-volume"))
    equal(runpod.stop_pod(pod["id"])["desiredStatus"], "EXITED")
    equal(runpod.resume_pod(pod["id"], 1)["desiredStatus"], "RUNNING")
    runpod.terminate_pod(pod["id"])
    equal(runpod.get_pods(), [])
    equal(runpod.get_pod(pod["id"]), None)


@case
def cpu_pod():
    pod = runpod.create_pod("test", "runpod/stack")
    equal(runpod.get_pod(pod["id"])["vcpuCount"], 2)
    runpod.terminate_pod(pod["id"])


@case
def cpu_pod_on_an_instance():
    pod = runpod.create_pod("test", "runpod/stack", instance_id="cpu3c-4-8")
    equal(runpod.get_pod(pod["id"])["memoryInGb"], 8)
    runpod.terminate_pod(pod["id"])


@case
def pod_on_a_volume():
    volume = os.environ["VOLUME"]
    pod = runpod.create_pod("test", "runpod/stack", "NVIDIA GeForce RTX 4090", network_volume_id=volume)
    equal(runpod.get_pod(pod["id"])["volumeMountPath"], "/runpod-volume")
    runpod.terminate_pod(pod["id"])


@case
def pod_without_capacity():
    deploy = lambda: runpod.create_pod("test", "runpod/stack", GPU, data_center_id="AP-JP-1")
    equal("no longer any instances" in raises(runpod.error.QueryError, deploy), True)


@case
def endpoints():
    template = runpod.create_template(name="script", image_name="runpod/base:0.1.0", is_serverless=True, env={"A": "1"})
    equal((template["isServerless"], template["env"]), (True, [{"key": "A", "value": "1"}]))
    endpoint = runpod.create_endpoint(name="script", template_id=template["id"], gpu_ids="AMPERE_16", workers_max=1)
    equal((endpoint["workersMax"], endpoint["idleTimeout"]), (1, 5))
    listed = [each for each in runpod.get_endpoints() if each["id"] == endpoint["id"]]
    equal((listed[0]["templateId"], listed[0]["networkVolume"]), (template["id"], None))
    other = runpod.create_template("other", "runpod/base:0.2.0", 'python3 -c "main()"', is_serverless=True)
    equal(runpod.update_endpoint_template(endpoint["id"], other["id"])["templateId"], other["id"])


@case
def flashboot_endpoint():
    template = runpod.create_template("flash", "runpod/base:0.1.0", is_serverless=True)
    endpoint = runpod.create_endpoint("flash", template["id"], flashboot=True, allowed_cuda_versions="12.4", workers_max=1)
    equal((endpoint["flashBootType"], endpoint["allowedCudaVersions"]), ("FLASHBOOT", "12.4"))


@case
def registry_auth():
    auth = runpod.create_container_registry_auth("docker", "user", "secret")
    equal(runpod.update_container_registry_auth(auth["id"], "user", "other")["name"], "docker")
    equal(runpod.delete_container_registry_auth(auth["id"]), None)


@case
def duplicate_name():
    raises(runpod.error.QueryError, lambda: [runpod.create_template("twice", "image") for _ in range(2)])


@case
def wrong_key():
    raises(runpod.error.AuthenticationError, lambda: runpod.get_user(api_key="wrong"))
    raises(RuntimeError, lambda: runpod.Endpoint(ECHO, api_key="wrong").health())


@case
def run():
    request = runpod.Endpoint(ECHO).run({"prompt": "hello"})
    equal(request.output(timeout=10), {"prompt": "hello"})
    equal(request.status(), "COMPLETED")


@case
def run_sync():
    equal(runpod.Endpoint(ECHO).run_sync({"input": {"prompt": "hello"}}, timeout=60), {"prompt": "hello"})


@case
def failed_job():
    request = runpod.Endpoint(FAIL).run({"prompt": "hello"})
    request.output(timeout=10)
    equal(request.status(), "FAILED")


@case
def stream():
    equal(list(runpod.Endpoint(STREAM).run({"prompt": "count"}).stream()), [0, 1, 2])


@case
def cancel():
    request = runpod.Endpoint(SLOW).run({"prompt": "wait"})
    equal(request.cancel()["status"], "CANCELLED")
    equal(request.status(), "CANCELLED")


@case
def health_and_purge():
    endpoint = runpod.Endpoint(SLOW)
    equal(sorted(endpoint.health()), ["jobs", "workers"])
    for _ in range(3):
        endpoint.run({"prompt": "wait"})
    equal(endpoint.purge_queue()["status"], "completed")


@case
def unknown_endpoint():
    equal("404" in raises(Exception, lambda: runpod.Endpoint("nobody").health()), True)


@case
async def asyncio_job():
    async with http_client.AsyncClientSession() as session:
        endpoint = AsyncioEndpoint(ECHO, session)
        job = await endpoint.run({"prompt": "hello"})
        equal(await job.output(timeout=10), {"prompt": "hello"})
        equal(await job.status(), "COMPLETED")
        equal(sorted(await endpoint.health()), ["jobs", "workers"])


@case
async def asyncio_stream():
    async with http_client.AsyncClientSession() as session:
        job = await AsyncioEndpoint(STREAM, session).run({"prompt": "count"})
        equal([chunk async for chunk in job.stream()], [0, 1, 2])


@case
async def asyncio_cancel():
    async with http_client.AsyncClientSession() as session:
        endpoint = AsyncioEndpoint(SLOW, session)
        job = await endpoint.run({"prompt": "wait"})
        equal((await job.cancel())["status"], "CANCELLED")
        equal((await endpoint.purge_queue())["status"], "completed")
