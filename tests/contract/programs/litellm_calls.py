"""LiteLLM, which reaches the language model as any server behind OpenAI's API."""

import os

# Its prices of models, which it would ask another host for.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from cases import case, equal, raises

BASE = f"https://api.runpod.ai/v2/{os.environ['CHAT']}/openai/v1"
to_model = {"api_base": BASE, "api_key": os.environ["RUNPOD_API_KEY"], "max_retries": 0}
MODEL = f"openai/{os.environ['MODEL']}"
messages = [{"role": "user", "content": "Hello there"}]
TOOL = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}


@case
def chat():
    answer = litellm.completion(MODEL, messages, **to_model)
    equal((answer.choices[0].message.content, answer.usage.completion_tokens), ("You said: Hello there", 4))


@case
def stream():
    chunks = litellm.completion(MODEL, messages, stream=True, **to_model)
    equal("".join(chunk.choices[0].delta.content or "" for chunk in chunks), "You said: Hello there")


@case
async def asynchronous():
    answer = await litellm.acompletion(MODEL, messages, **to_model)
    equal(answer.choices[0].message.content, "You said: Hello there")


@case
def tool():
    answer = litellm.completion(MODEL, messages, tools=[TOOL], tool_choice="required", **to_model)
    equal(answer.choices[0].message.tool_calls[0].function.name, "weather")


@case
def text_completion():
    equal(litellm.text_completion(model=f"text-completion-{MODEL}", prompt="a b", **to_model).choices[0].text, " a b")


@case
def embedding():
    equal(len(litellm.embedding(MODEL, ["a", "b"], **to_model).data), 2)


@case
def responses():
    answer = litellm.responses(model=MODEL, input="Hello there", **to_model)
    equal(answer.output[-1].content[0].text, "You said: Hello there")


@case
def unknown_model():
    raises(litellm.NotFoundError, lambda: litellm.completion("openai/other", messages, **to_model))
