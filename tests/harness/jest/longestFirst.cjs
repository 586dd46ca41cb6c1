"use strict";
const { createRequire } = require("node:module");

/** jest's own, in the version that it uses. */
const core = createRequire(createRequire(require.resolve("jest")).resolve("@jest/core"));
const { default: Sequencer } = core("@jest/test-sequencer");

/** What waits for engines, compilers, other processes and answers that don't come; much longer than its text suggests. */
const LONG = /[\\/]tests[\\/](chaos|cli|client|contract|docs|engine|mutants|policy|queue)[\\/]|types\.test/;

/**
 * Starts long files first, so that none of them runs alone at the end. jest does so by the durations of the last run; in a
 * fresh clone, as in CI, there are none, and it goes by the size of the files.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    const isLong = ({ path }) => LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
