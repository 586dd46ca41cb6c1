"""LangChain's models of the service: jobs of a language model's queue."""

import os

from cases import case, equal
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_runpod import ChatRunPod, RunPod

options = {"endpoint_id": os.environ["CHAT"], "model_name": os.environ["MODEL"], "poll_interval": 0.1}


@case
def chat():
    answer = ChatRunPod(**options).invoke([SystemMessage("Be brief."), HumanMessage("Hello there")])
    equal(answer.content, "You said: System: Be brief.\nUser: Hello there")


@case
def chat_stream():
    equal("".join(chunk.content for chunk in ChatRunPod(**options).stream("Hello there")), "You said: User: Hello there")


@case
async def chat_async():
    equal((await ChatRunPod(**options).ainvoke("Hello there")).content, "You said: User: Hello there")


@case
def completion():
    equal(RunPod(**options).invoke("a b"), "You said: a b")


@case
def completion_stream():
    equal("".join(RunPod(**options).stream("a b")), "You said: a b")


@case
def batch():
    answers = ChatRunPod(**options).batch(["one", "two"])
    equal([answer.content for answer in answers], ["You said: User: one", "You said: User: two"])
