/* Jest as Stryker runs it: the tests of one group. */
"use strict";
const { join } = require("node:path");
const { jest } = require("../../../package.json");
const groups = require("./groups.cjs");

process.env.TEST_MINUTES = "0.5";

module.exports = {
  ...jest,
  rootDir: join(__dirname, "../../.."),
  testMatch: groups[process.env.STRYKER_GROUP].tests.map((file) => `<rootDir>/${file}`),
  reporters: [],
};
