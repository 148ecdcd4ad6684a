/** Stack traces that name the lines of the TypeScript files instead of those of the compiled code. */
const { sourceMapOf } = require('./typescript.cjs');

/** A line of a stack trace, with the position in the TypeScript file where there is one. */
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
 * Starts the mapping. Jest has a mapping of its own for the files that it compiles, and starts it before every spec
 * file; here Jest compiles none.
 */
function mapStackTraces() {
  Error.prepareStackTrace = (error, callSites) =>
    [
      Error.prototype.toString.call(error),
      ...callSites.map((callSite) => `    at ${describeCallSite(callSite)}`),
    ].join('\n');
}

module.exports = { mapStackTraces };
