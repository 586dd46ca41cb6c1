/*
 * Which files `npm run test:long` runs, and `npm test` leaves out: those that say of themselves that they are long, in a
 * comment `@long` with what they show.
 */
"use strict";
const { readFileSync } = require("node:fs");

const LONG = /^\s*(\/\/|\*|\/\*) *@long\b/m;
const isLong = (file) => LONG.test(readFileSync(file, "utf8"));

/** Jest's `--filter`. */
module.exports = async (paths) => ({ filtered: paths.filter(isLong) });
module.exports.isLong = isLong;
