"""What scripts do with OpenAI's Python client, with a queue and with a load balancer."""

import math
import os

from cases import case, equal, raises
from openai import AuthenticationError, NotFoundError, OpenAI

MODEL = os.environ["MODEL"]
messages = [{"role": "user", "content": "Hello there"}]
SAID = "You said: Hello there"


def calls_of(place, base_url):
    """The same of a queue as of a load balancer."""
    client = OpenAI(base_url=base_url, api_key=os.environ["RUNPOD_API_KEY"], max_retries=0)

    def named(function):
        function.__name__ += f" of a {place}"
        return case(function)

    @named
    def models():
        equal([model.id for model in client.models.list()], [MODEL])

    @named
    def chat():
        answer = client.chat.completions.create(model=MODEL, messages=messages)
        equal([answer.choices[0].message.content, answer.usage.total_tokens], [SAID, 6])

    @named
    def stream():
        chunks = list(client.chat.completions.create(model=MODEL, messages=messages, stream=True))
        equal("".join(chunk.choices[0].delta.content or "" for chunk in chunks), SAID)
        equal(chunks[-1].choices[0].finish_reason, "stop")

    @named
    def completion():
        equal(client.completions.create(model=MODEL, prompt="a b").choices[0].text, " a b")

    @named
    def embeddings():
        data = client.embeddings.create(model=MODEL, input=["a", "b"]).data
        equal([len(data), round(math.hypot(*data[0].embedding), 6)], [2, 1])

    @named
    def unknown_model():
        raises(NotFoundError, lambda: client.chat.completions.create(model="other", messages=messages))

    @named
    def wrong_key():
        raises(AuthenticationError, lambda: client.with_options(api_key="wrong").models.list())


calls_of("queue", os.environ["CHAT_URL"])
calls_of("load balancer", os.environ["BALANCED_CHAT_URL"])
