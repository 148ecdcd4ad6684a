import { getMetadataStorage, type ValidationError } from 'class-validator';
import type { FieldErrors } from '../errors/api-error';

/** A violated rule: its arguments, whether it is one of the items of a list, and the value that it refused. */
interface Violation {
  args: readonly unknown[];
  each: boolean;
  value: unknown;
}

const lengthProblem = ({ args, each, value }: Violation): string => {
  const [min, max] = args as [number, number | undefined];
  if (each) return `must contain only texts of ${min} to ${max} characters`;
  if (typeof value !== 'string') return 'must be a text';
  if ([...value].length >= min) return `must have at most ${max} characters`;
  return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
};

/**
 * What a violated rule of class-validator means, as it follows the name of a field. Of several violated rules the first in this
 * order is reported: what kind of value is expected says more than its size.
 */
const PROBLEMS: Readonly<Record<string, (violation: Violation) => string>> = {
  isString: ({ each }) => (each ? 'must contain only texts' : 'must be a text'),
  isInt: () => 'must be a whole number',
  isNumber: () => 'must be a number',
  isBoolean: () => 'must be true or false',
  isArray: () => 'must be a list',
  isObject: () => 'must be an object',
  nestedValidation: () => 'must be an object',
  isEmail: () => 'must be an e-mail address',
  isIp: () => 'must be an IP address',
  isUuid: ({ each }) => (each ? 'must contain only UUIDs' : 'must be a UUID'),
  isIn: ({ args, each }) => {
    const known = (args[0] as string[]).join(', ');
    return each ? `must contain only these values: ${known}` : `must be one of: ${known}`;
  },
  isIso8601: () => 'must be an ISO 8601 date, such as 2026-01-31T12:00:00Z',
  arrayNotEmpty: () => 'must contain at least 1 item',
  arrayMinSize: ({ args }) => `must contain at least ${counted(args[0])}`,
  arrayMaxSize: ({ args }) => `must contain at most ${counted(args[0])}`,
  arrayUnique: () => 'must not contain a value twice',
  isLength: lengthProblem,
  maxLength: (violation) => lengthProblem({ ...violation, args: [0, violation.args[0]] }),
  matches: () => 'has characters that are not possible here',
  min: ({ args }) => `must be at least ${String(args[0])}`,
  max: ({ args }) =>
    args[0] === Number.MAX_SAFE_INTEGER ? 'is too large' : `must be at most ${String(args[0])}`,
};

const counted = (items: unknown): string => (items === 1 ? '1 item' : `${String(items)} items`);

/** One problem of each invalid field; a nested field is named by its path, for example `links.3.department_id`. */
export function fieldProblems(errors: ValidationError[], path = ''): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of errors) {
    const name = path + error.property;
    if (error.constraints) fields[name] = [problemOf(error, error.constraints)];
    if (error.children?.length) Object.assign(fields, fieldProblems(error.children, `${name}.`));
  }
  return fields;
}

function problemOf({ target, property, value }: ValidationError, messages: Record<string, string>): string {
  if (value === undefined || value === null) return 'is required';
  if (value === '' && 'isLength' in messages) return 'must not be empty';
  const name = Object.keys(PROBLEMS).find((known) => known in messages) ?? Object.keys(messages)[0] ?? '';
  const rule = rulesOf(target).find((of) => of.propertyName === property && of.name === name);
  // A message that the DTO itself gives, and that of a rule of the service, says what is possible.
  const isOwn = rule?.message !== undefined || !(name in PROBLEMS);
  if (isOwn) return messages[name] ?? '';
  return PROBLEMS[name]?.({ args: rule?.constraints ?? [], each: rule?.each ?? false, value }) ?? '';
}

const rulesOf = (target: object | undefined) =>
  target ? getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false) : [];
