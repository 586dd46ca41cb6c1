import { expect, test } from "@jest/globals";
import { fullUrls, queueUrlsAt, shortUrls } from "../../common/queueUrls";

const urls = queueUrlsAt("https://example.com/v2/abc");

test("addresses that follow from one are as good as that one", () => {
  expect(shortUrls(urls)).toBe("https://example.com/v2/abc");
  expect(fullUrls(shortUrls(urls))).toEqual(urls);
});

test.each([
  ["of a load balancer", { base: "https://abc.example.com", health: "https://abc.example.com/ping" }],
  ["of which one leads elsewhere", { ...urls, stream: "https://other.example.com/stream" }],
  ["of an operation more", { ...urls, pause: "https://example.com/v2/abc/pause" }],
  ["that are missing", null],
])("addresses %s stay as they are", (_, other) => {
  expect(shortUrls(other)).toEqual(other);
  expect(fullUrls(other)).toEqual(other);
});
