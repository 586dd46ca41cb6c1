/* What is made of failures: whether the service may have acted, and what is told. Without a network, which has accidents. */
import { describe, expect, test } from "@jest/globals";
import { NotFoundError } from "../../client";
import {
  BodyLimit,
  failureOfAnswer,
  failureOfBody,
  failureOfException,
  failureOfTime,
  ProxyRefusal,
} from "../../client/outcomes/failures";
import type { Failure } from "../../client/outcomes/retry";
import { hide } from "../../common/redact";

hide("hunter2");

const call = { method: "GET", kind: "Pod", id: "p1", label: "GET /v2/pods/p1", quota: "rest" };
const tally = { attempts: 2, elapsedMs: 1_500 };
const errorFacts = { kind: "Pod", id: "p1", ...tally };
const errorOf = (failure: Failure | undefined) => failure?.toError(tally);
const coded = (code: string, more: object = {}) => Object.assign(new Error(`said ${code}`), { code, ...more });

describe("an exception", () => {
  const refusing: Partial<Failure> = { fault: "untouched", unreachable: "refusing" };
  const silent: Partial<Failure> = { fault: "untouched", unreachable: "silent" };
  const doubtful: Partial<Failure> = { fault: "doubtful", unreachable: undefined };
  const connecting = { syscall: "connect" };

  test.each<[string, object, Partial<Failure>, string]>([
    ["ECONNREFUSED", {}, refusing, "ConnectionError"],
    ["ENOTFOUND", {}, refusing, "ConnectionError"],
    ["EAI_AGAIN", {}, refusing, "ConnectionError"],
    ["UND_ERR_CONNECT_TIMEOUT", {}, silent, "TimeoutError"],
    ["ETIMEDOUT", connecting, silent, "TimeoutError"],
    ["ETIMEDOUT", { syscall: "read" }, doubtful, "TimeoutError"],
    ["EHOSTUNREACH", connecting, refusing, "ConnectionError"],
    ["ENETUNREACH", connecting, refusing, "ConnectionError"],
    ["ENETUNREACH", { syscall: "write" }, doubtful, "ConnectionError"],
    ["UND_ERR_HEADERS_TIMEOUT", {}, doubtful, "TimeoutError"],
    ["UND_ERR_BODY_TIMEOUT", {}, doubtful, "TimeoutError"],
    ["ECONNRESET", connecting, doubtful, "ConnectionError"],
    ["EPIPE", { errors: "none" }, doubtful, "ConnectionError"],
    ["ECONNREFUSED", { code: undefined, errors: [coded("ECONNREFUSED"), coded("EPIPE")] }, refusing, "ConnectionError"],
    ["HPE_INVALID", { code: undefined, name: "HTTPParserError" }, { fault: "unreadable" }, "ConnectionError"],
  ])("%s is told apart: %j", (reason, more, facts, name) => {
    const failure = failureOfException(coded(reason, more), call);
    expect(failure).toMatchObject({ reason, ...facts });
    expect(errorOf(failure)).toMatchObject({ name, code: reason, ...errorFacts });
  });

  test("HPE_BROKEN is what breaks HTTP in an answer that began as such", () => {
    const unreadable = coded("", { code: undefined, name: "HTTPParserError" });
    expect(failureOfException(unreadable, call, true)).toMatchObject({ reason: "HPE_BROKEN", ...doubtful });
  });

  test.each<[string, Failure["fault"], string]>([
    ["CERT_HAS_EXPIRED", "refused", "its certificate is not trusted"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "refused", "its certificate is not trusted"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "refused", "its certificate is not trusted"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "refused", "its certificate is not trusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "refused", "its certificate is not trusted"],
    ["UND_ERR_PRX_TLS", "refused", "its certificate is not trusted"],
    ["EPROTO", "unreadable", "the server at this address does not speak TLS"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "unreadable", "the server at this address does not speak TLS"],
    ["ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC", "doubtful", "no connection"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "refused", "the server refused the TLS connection"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "refused", "the server refused the TLS connection"],
    ["UND_ERR_HEADERS_OVERFLOW", "unreadable", "the headers of the answer are too large"],
    ["HPE_HEADER_OVERFLOW", "unreadable", "the headers of the answer are too large"],
    ["UND_MOCK_ERR_MOCK_NOT_MATCHED", "refused", "the MockAgent of this test has no answer"],
    ["EPROTOTYPE", "doubtful", "no connection"],
    ["Z_DATA_ERROR", "doubtful", "the answer is broken"],
    ["ERR__ERROR_FORMAT", "doubtful", "the answer is broken"],
    ["HPE_INVALID_CONSTANT", "unreadable", "the server at this address does not speak HTTP"],
    ["UND_ERR_CLOSED", "unreadable", "its dispatcher is closed"],
    ["UND_ERR_DESTROYED", "unreadable", "its dispatcher is closed"],
    ["UND_ERR_DESTROYED_LATER", "doubtful", "no connection"],
    ["UND_ERR_INVALID_ARG", "refused", "the request cannot be sent"],
    ["UND_ERR_NOT_SUPPORTED", "refused", "the request cannot be sent"],
    ["ERR_INVALID_CHAR", "refused", "the request cannot be sent"],
    ["MY_CERT_ZHPE_Z_UND_ERR_CLOSED_ERR_INVALID_", "doubtful", "no connection"],
    ["XEPROTO", "doubtful", "no connection"],
    ["MY_UND_ERR_CLOSED", "doubtful", "no connection"],
  ])("of code %s is %s: %s", (code, fault, title) => {
    const failure = failureOfException(coded(code), call);
    expect(failure?.fault).toBe(fault);
    expect(errorOf(failure)?.message).toContain(`Pod p1: ${title}: said ${code}`);
  });

  test.each<[string, unknown]>([
    ["without a code", new Error("odd")],
    ["with a code that is none", Object.assign(new Error("odd"), { code: 5 })],
    ["that is no object", "ECONNREFUSED"],
    ["of ours", new NotFoundError("gone", { code: "ECONNREFUSED" })],
    ["of nothing", undefined],
  ])("%s is not the network's", (_, exception) => expect(failureOfException(exception, call)).toBeUndefined());

  test("is quoted without secrets, and by its code where it says nothing", () => {
    expect(errorOf(failureOfException(coded("EPIPE", { message: "wrote hunter2" }), call))?.detail).toBe(
      "wrote [secret]",
    );
    expect(errorOf(failureOfException({ code: "EPIPE" }, call))?.detail).toBe("EPIPE");
  });

  test.each<[number, Failure["fault"], string, RegExp]>([
    [407, "refused", "proxy 407", /set HTTPS_PROXY to/],
    [403, "refused", "proxy 403", /Ask for the address to be allowed/],
    [502, "untouched", "PROXY_REFUSED", /Check the network/],
    [503, "untouched", "PROXY_REFUSED", /Check the network/],
    [504, "untouched", "PROXY_REFUSED", /Check the network/],
  ])("of a proxy that answers %i is %s (%s)", (status, fault, reason, wayOut) => {
    const failure = failureOfException(new ProxyRefusal(status), call);
    expect(failure).toMatchObject({ fault, reason });
    expect(errorOf(failure)).toMatchObject({ name: "ConnectionError", code: "PROXY_REFUSED", ...errorFacts });
    expect(errorOf(failure)?.message).toMatch(wayOut);
    expect(errorOf(failure)?.message).toContain(`no connection: the proxy answered ${status} instead of making`);
  });

  test("of a body that is too large names the limit", () => {
    const failure = failureOfException(new BodyLimit(1_000), call);
    expect(failure).toMatchObject({ fault: "unreadable", reason: "more than 1000 bytes" });
    expect(errorOf(failure)).toMatchObject({ name: "TooLargeError", limit: 1_000, ...errorFacts });
    expect(errorOf(failure)?.message).toContain("the answer has more than 1000 bytes");
  });
});

test.each([
  [true, "doubtful"],
  [false, "refused"],
] as const)(
  "time that is over, the request sent or not (%s), leaves it %s and asks for nothing more",
  (sent, fault) => {
    const failure = failureOfTime(60_000, sent ? "sent" : "unsent", call);
    expect(failure).toMatchObject({ fault, cutShort: true, patienceMs: 0 });
    expect(errorOf(failure)).toMatchObject({ name: "TimeoutError", code: "TIME_LIMIT", ...errorFacts });
    expect(errorOf(failure)?.message).toContain("the call was not over within 60 s");
  },
);

/** An answer, whose body is JSON unless it is a text. */
const answer = (status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  header: (name: string) => headers[name],
  text: typeof body === "string" ? body : JSON.stringify(body),
});

describe("an answer", () => {
  const problem = { "content-type": "application/problem+json; charset=utf-8" };

  test("is told with the service's words, its request's id and what it asks for", () => {
    const body = { title: "Bad hunter2", detail: "no hunter2", errors: ["size: hunter2", 5, ""], status: 422 };
    const failure = failureOfAnswer(
      answer(422, body, { "x-request-id": "r-hunter2", "retry-after": "1.2" }),
      call,
      undefined,
    );
    expect(failure).toMatchObject({ fault: "refused", reason: "422" });
    expect(errorOf(failure)).toMatchObject({
      name: "ValidationError",
      title: "Bad [secret]",
      detail: "no [secret]",
      errors: ["size: [secret]"],
      requestId: "r-[secret]",
      status: 422,
      ...errorFacts,
    });
  });

  test.each<[unknown, string | undefined]>([
    [{ detail: "a", error: "b", message: "c", errors: ["d"] }, "a"],
    [{ error: "b", message: "c", errors: ["d"] }, "b"],
    [{ error: { message: "b" } }, "b"],
    [{ message: "c", errors: ["d"] }, "c"],
    [{ errors: [{ message: "d" }] }, "d"],
    [{ detail: "", errors: "none" }, undefined],
    ["<html>", undefined],
    ["[1]", undefined],
  ])("%j is quoted as %s", (body, detail) => {
    const error = errorOf(failureOfAnswer(answer(400, body), call, undefined));
    expect([error?.name, error?.detail]).toEqual(["BadRequestError", detail]);
  });

  test("that asks to wait is waited for", () => {
    const failure = failureOfAnswer(answer(503, {}, { "retry-after": "7" }), call, undefined);
    expect(failure).toMatchObject({ fault: "doubtful", waitMs: 7_000, isLimit: false });
    expect(errorOf(failure)?.retryAfter).toBe(7);
    expect(failureOfAnswer(answer(503), call, undefined).waitMs).toBeUndefined();
    expect(errorOf(failureOfAnswer(answer(503), call, undefined))?.retryAfter).toBeUndefined();
  });

  test("of a quota is waited for beside the budget, and names it", () => {
    const failure = failureOfAnswer(answer(429, {}, { "retry-after": "7" }), call, {
      window: "hunter2 a minute",
      waitMs: 12_001,
    });
    expect(failure).toMatchObject({ fault: "untouched", waitMs: 12_001, isLimit: true });
    expect(errorOf(failure)).toMatchObject({ retryAfter: 13, window: "[secret] a minute" });
    expect(errorOf(failureOfAnswer(answer(429), call, { window: undefined, waitMs: 1 }))?.window).toBeUndefined();
  });

  test.each<[string, string, unknown, Readonly<Record<string, string>>, string]>([
    ["the service's own", "rest", { status: 404 }, problem, "NotFoundError"],
    ["plain JSON", "rest", { status: 404 }, { "content-type": "application/json" }, "WrongAddressError"],
    ["of no type", "rest", { status: 404 }, {}, "WrongAddressError"],
    ["of another status", "rest", { status: 200 }, problem, "WrongAddressError"],
    ["no JSON", "rest", "404", problem, "WrongAddressError"],
    ["anything, over GraphQL", "graphql", { status: 404 }, problem, "WrongAddressError"],
    ["no JSON, of a queue", "queue e1", "not found", {}, "ConnectionError"],
    ["a gateway's JSON, of a queue", "queue e1", { message: "no route" }, {}, "ConnectionError"],
    ["a queue's own", "queue e1", { error: "job not found" }, {}, "NotFoundError"],
  ])("404 that is %s", (_, quota, body, headers, name) => {
    const error = errorOf(failureOfAnswer(answer(404, body, headers), { ...call, quota }, undefined));
    expect(error).toMatchObject({ name, status: 404 });
    if (name === "WrongAddressError")
      expect(error?.message).toContain("which is not the service's answer to GET /v2/pods/p1");
  });

  test.each<[Readonly<Record<string, string>>, string]>([
    [{ location: "https://hunter2.example/login?token=a#b" }, "302 a redirect to https://[secret].example/login"],
    [{}, "302 which no call is answered with"],
  ])("302 with %j is not followed", (headers, words) => {
    const error = errorOf(failureOfAnswer(answer(302, { detail: "moved" }, headers), call, undefined));
    expect(error?.name).toBe("WrongAddressError");
    expect(error?.message).toContain(words);
    expect(error?.message).not.toContain("moved");
    expect(error?.message).not.toContain("token");
  });

  test.each<[string, string, Failure["fault"], string]>([
    ["a page", "<!doctype html>", "unreadable", "a web page, not the service's"],
    ["a page after some space", " \n<html>", "unreadable", "a web page, not the service's"],
    ["a page by its type", "welcome", "unreadable", "a web page, not the service's"],
    ["a text", "x <b>", "doubtful", "not JSON"],
  ])("200 with %s in place of JSON", (what, body, fault, words) => {
    const type = what === "a page by its type" ? { "content-type": "text/html; charset=utf-8" } : undefined;
    const failure = failureOfBody(answer(200, body, { ...type, "x-request-id": "r-hunter2" }), call);
    expect(failure.fault).toBe(fault);
    expect(errorOf(failure)).toMatchObject({
      name: "ContractError",
      path: "",
      status: 200,
      requestId: "r-[secret]",
      ...tally,
    });
    expect(errorOf(failure)?.message).toContain(`the answer is ${words}`);
  });
});
