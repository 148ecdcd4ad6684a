interface LoggedError {
  type?: string;
  name?: string;
  message?: string;
  stack?: string;
  code?: unknown;
  constraint?: unknown;
  aggregateErrors?: LoggedError[];
}

/**
 * Reduces an error, as pino has serialized it, to fields without personal data: the error of a failed query
 * contains the query's values, and the detail from PostgreSQL contains the row.
 */
export function errorForLog(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, name, message, stack, code, constraint, aggregateErrors } = error as LoggedError;
  const causes = aggregateErrors?.map((cause) => withoutAddresses(cause.message));
  return {
    type: type ?? name,
    message: withoutAddresses(message),
    stack: withoutAddresses(stack),
    code,
    constraint,
    causes,
  };
}

/** RFC 5321 allows 64 characters before the @; without a limit long words would cost quadratic time. */
const MAIL_ADDRESS = /(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;
/** PostgreSQL quotes the value that it could not read at the end of the message. */
const QUOTED_VALUE = /(invalid input (?:syntax|value) for [^:]+: )"[^]*?"(?=$|\n)/;

/** Removes mail addresses and values of queries, which libraries quote in the messages of errors. */
export function withoutAddresses<Text extends string | undefined>(text: Text): Text {
  return text?.replace(QUOTED_VALUE, '$1[value]').replaceAll(MAIL_ADDRESS, '[address]') as Text;
}
