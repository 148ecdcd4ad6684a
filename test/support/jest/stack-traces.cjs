/** Maps stack traces from the compiled code to the TypeScript files. */
const { sourceMapOf } = require('./typescript.cjs');

/** A line of a stack trace, with its position in the TypeScript file if it has one. */
function describeCallSite(callSite) {
  const line = callSite.getLineNumber();
  const column = callSite.getColumnNumber();
  const origin = sourceMapOf(callSite.getFileName())?.findOrigin(line, column);
  const text = callSite.toString();
  return origin?.lineNumber
    ? text.replace(`:${line}:${column}`, `:${origin.lineNumber}:${origin.columnNumber}`)
    : text;
}

/**
 * Starts the mapping. It replaces the mapping that Jest starts before every spec file for the files that it compiles,
 * because Jest compiles none here.
 */
function mapStackTraces() {
  Error.prepareStackTrace = (error, callSites) =>
    [
      Error.prototype.toString.call(error),
      ...callSites.map((callSite) => `    at ${describeCallSite(callSite)}`),
    ].join('\n');
}

module.exports = { mapStackTraces };
