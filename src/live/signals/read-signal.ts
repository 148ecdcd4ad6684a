import type { SignalDto } from '../live.dto';

/** What is relayed to the other side: a session description or an ICE candidate. */
export type SignalBody = Pick<SignalDto, 'description'> | Pick<SignalDto, 'candidate'>;

interface Signal {
  call_id: string | undefined;
  body: SignalBody;
}

type Check = (value: unknown) => boolean;

/** PostgreSQL is not involved, but input with NUL is refused everywhere. */
const isText: Check = (value) => typeof value === 'string' && !value.includes('\0');
const isOptionalText: Check = (value) => value === null || isText(value);
const isOptionalIndex: Check = (value) => value === null || (Number.isInteger(value) && Number(value) >= 0);

const DESCRIPTION_TYPES: unknown[] = ['offer', 'answer', 'pranswer', 'rollback'];

const DESCRIPTION_FIELDS: Record<string, Check> = {
  type: (value) => DESCRIPTION_TYPES.includes(value),
  sdp: isOptionalText,
};

const CANDIDATE_FIELDS: Record<string, Check> = {
  candidate: isOptionalText,
  sdpMid: isOptionalText,
  sdpMLineIndex: isOptionalIndex,
  usernameFragment: isOptionalText,
};

/**
 * Reads a signal as SignalDto does, many times faster.
 * @returns undefined for a payload that is invalid or has unknown fields, which only SignalDto can decide on and explain
 */
export function readSignal(payload: unknown): Signal | undefined {
  if (!isObject(payload)) return undefined;
  const { call_id = null, description = null, candidate = null, ...others } = payload;
  if (Object.keys(others).length > 0 || !isOptionalText(call_id)) return undefined;
  const named = (call_id as string | null) ?? undefined;
  if (description !== null && candidate === null && isDescription(description))
    return { call_id: named, body: { description } };
  if (candidate !== null && description === null && isCandidate(candidate))
    return { call_id: named, body: { candidate } };
  return undefined;
}

const isDescription = (value: unknown): value is NonNullable<SignalDto['description']> =>
  isObject(value) && value.type !== undefined && hasOnly(value, DESCRIPTION_FIELDS);

const isCandidate = (value: unknown): value is NonNullable<SignalDto['candidate']> =>
  isObject(value) && hasOnly(value, CANDIDATE_FIELDS);

function hasOnly(value: Record<string, unknown>, fields: Record<string, Check>): boolean {
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name) || !fields[name]?.(value[name])) return false;
  }
  return true;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
