"""The vendor's flash: its GraphQL client, its client of endpoints, and what it keeps in the account for its apps."""

import os

# It asks the proxy of the environment for jobs alone.
os.environ["RUNPOD_API_BASE_URL"] = os.environ["BASE_URL"]

from cases import absent, case, equal
from runpod_flash import Endpoint
from runpod_flash.core.api.runpod import RunpodGraphQLClient, RunpodRestClient

ECHO, SLOW, BALANCER = (os.environ[name] for name in ("ECHO", "SLOW", "BALANCER"))
ENDPOINT = {"name": "flash", "gpuIds": "AMPERE_16", "workersMax": 1, "templateId": os.environ["TEMPLATE"]}


@case
async def endpoint():
    async with RunpodGraphQLClient() as client:
        saved = await client.save_endpoint({**ENDPOINT, "flashBootType": "FLASHBOOT"})
        equal((saved["workersMax"], saved["flashBootType"]), (1, "FLASHBOOT"))
        changed = await client.save_endpoint({**ENDPOINT, "id": saved["id"], "idleTimeout": 9})
        equal(changed["idleTimeout"], 9)
        equal(await client.endpoint_exists(saved["id"]), True)
        equal(await client.delete_endpoint(saved["id"]), {"success": True})
        equal(await client.endpoint_exists(saved["id"]), False)


@case
async def template():
    async with RunpodGraphQLClient() as client:
        equal((await client.get_template(ENDPOINT["templateId"]))["imageName"], "repo/worker:1")
        changed = {"id": ENDPOINT["templateId"], "imageName": "repo/worker:2", "name": "bound", "dockerArgs": ""}
        rest = {"containerDiskInGb": 10, "volumeInGb": 0, "env": []}
        equal((await client.update_template({**changed, **rest}))["imageName"], "repo/worker:2")


@case
async def stock():
    async with RunpodGraphQLClient() as client:
        gpu = await client.get_gpu_lowest_price_stock_status("NVIDIA GeForce RTX 4090", 1)
        cpu = await client.get_cpu_specific_stock_status("cpu3c", "cpu3c-2-4", "EU-RO-1")
        equal([gpu in ("High", "Medium", "Low"), cpu in ("High", "Medium", "Low")], [True, True])


@case
async def job():
    done = await (await Endpoint(id=ECHO).run({"prompt": "hello"})).wait(timeout=20)
    equal((done.output, done.error), ({"prompt": "hello"}, None))
    equal((await Endpoint(id=ECHO).runsync({"prompt": "hello"})).output, {"prompt": "hello"})


@case
async def cancelled_job():
    started = await Endpoint(id=SLOW).run({"prompt": "wait"})
    equal((await started.cancel()).done, True)
    equal(await started.status(), "CANCELLED")


@case
async def load_balancer():
    answer = await Endpoint(id=BALANCER).post("/predict", {"n": 1})
    equal((answer["path"], answer["body"]), ("/predict", {"n": 1}))


@absent("Flash apps")
async def apps():
    async with RunpodGraphQLClient() as client:
        equal(await client.list_flash_apps(), [])


@absent("REST v1")
async def volumes():
    async with RunpodRestClient() as client:
        await client.list_network_volumes()
