/** Whether a run of Jest has all specs of the project `web`. */
module.exports = function isWholeRun(
  { testPathPatterns, testNamePattern, shard, onlyChanged, onlyFailures },
  { displayName },
) {
  return (
    displayName.name === 'web' &&
    testPathPatterns.patterns.length === 0 &&
    !testNamePattern &&
    !shard &&
    !onlyChanged &&
    !onlyFailures
  );
};
