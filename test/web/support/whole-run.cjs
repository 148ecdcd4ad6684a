/** Whether a run of Jest has all specs of its projects. */
module.exports = function isWholeRun({
  testPathPatterns,
  testNamePattern,
  shard,
  onlyChanged,
  onlyFailures,
}) {
  return (
    testPathPatterns.patterns.length === 0 && !testNamePattern && !shard && !onlyChanged && !onlyFailures
  );
};
