/* Jest's `--filter` of `npm test`: all but the long files. */
"use strict";
const { isLong } = require("./long.cjs");

module.exports = async (paths) => ({ filtered: paths.filter((path) => !isLong(path)) });
