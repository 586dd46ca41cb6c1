"""Instructor: answers of a schema's shape, by tools and by JSON."""

import os

import instructor
from cases import absent, case, equal
from openai import OpenAI
from pydantic import BaseModel, Field

BASE = f"https://api.runpod.ai/v2/{os.environ['CHAT']}/openai/v1"
openai = OpenAI(base_url=BASE, api_key=os.environ["RUNPOD_API_KEY"], max_retries=0)
request = {"model": os.environ["MODEL"], "messages": [{"role": "user", "content": "Who?"}], "max_retries": 0}


class Person(BaseModel):
    name: str
    age: int = Field(ge=0, le=150)
    tags: list[str]


def is_person(mode):
    answer = instructor.from_openai(openai, mode=mode).chat.completions.create(response_model=Person, **request)
    equal(isinstance(answer, Person), True)


@case
def tools():
    is_person(instructor.Mode.TOOLS)


@absent("a model that follows instructions")
def json():
    is_person(instructor.Mode.JSON)


@case
def json_schema():
    is_person(instructor.Mode.JSON_SCHEMA)


@case
def many():
    people = instructor.from_openai(openai, mode=instructor.Mode.TOOLS).chat.completions.create_iterable
    equal(all(isinstance(person, Person) for person in people(response_model=Person, **request)), True)


@case
def partial():
    parts = instructor.from_openai(openai, mode=instructor.Mode.TOOLS).chat.completions.create_partial
    equal(hasattr(list(parts(response_model=Person, **request))[-1], "name"), True)
