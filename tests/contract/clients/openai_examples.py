"""What scripts do with OpenAI's Python client; only the address is changed."""

import json
import math
import os

from openai import AuthenticationError, NotFoundError, OpenAI

MODEL = os.environ["MODEL"]
client = OpenAI(base_url=os.environ["BASE_URL"], api_key=os.environ["KEY"], max_retries=0)
messages = [{"role": "user", "content": "Hello there"}]
SAID = "You said: Hello there"


def equal(actual, wanted):
    if actual != wanted:
        raise AssertionError(f"{actual!r} instead of {wanted!r}")


def raises(kind, function):
    try:
        function()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


def models():
    equal([model.id for model in client.models.list()], [MODEL])


def chat():
    answer = client.chat.completions.create(model=MODEL, messages=messages)
    equal([answer.choices[0].message.content, answer.usage.total_tokens], [SAID, 6])


def stream():
    chunks = list(client.chat.completions.create(model=MODEL, messages=messages, stream=True))
    equal("".join(chunk.choices[0].delta.content or "" for chunk in chunks), SAID)
    equal(chunks[-1].choices[0].finish_reason, "stop")


def completion():
    equal(client.completions.create(model=MODEL, prompt="a b").choices[0].text, " a b")


def embeddings():
    data = client.embeddings.create(model=MODEL, input=["a", "b"]).data
    equal([len(data), round(math.hypot(*data[0].embedding), 6)], [2, 1])


def unknown_model():
    raises(NotFoundError, lambda: client.chat.completions.create(model="other", messages=messages))


def wrong_key():
    raises(AuthenticationError, lambda: client.with_options(api_key="wrong").models.list())


for each in (models, chat, stream, completion, embeddings, unknown_model, wrong_key):
    error = None
    try:
        each()
    except BaseException as problem:
        error = f"{type(problem).__name__}: {problem}"
    print(json.dumps({"case": each.__name__, "error": error}, separators=(",", ":")))
