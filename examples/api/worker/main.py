import threading
import time

from fastapi import FastAPI, Response
from pydantic import BaseModel

app = FastAPI()
ready = threading.Event()


def load() -> None:
    time.sleep(5)  # a model takes its time
    ready.set()


threading.Thread(target=load, daemon=True).start()


class Text(BaseModel):
    text: str


@app.get("/ping")
def ping() -> Response:
    return Response(status_code=200 if ready.is_set() else 204)


@app.post("/predict")
def predict(text: Text) -> dict[str, int]:
    return {"characters": len(text.text)}
