/** A part of a joined recording. */
export interface JoinedPart {
  /** Its place: parts are joined in ascending order. */
  part: number;
  /** Milliseconds. */
  duration: number;
}

/** @returns where a new part begins, in milliseconds */
export const startOf = (parts: readonly JoinedPart[], part: number): number =>
  parts.filter((each) => each.part < part).reduce((sum, { duration }) => sum + duration, 0);

/** @returns the parts with a new one, in order */
export const withPart = (parts: readonly JoinedPart[], added: JoinedPart): JoinedPart[] =>
  [...parts, added].sort((a, b) => a.part - b.part);
