/** Some members of an object. Functions may take and return less. */
export type Part<T> = T extends (...args: never[]) => unknown
  ? ((...args: never[]) => unknown) | { [Key in keyof T]?: Part<T[Key]> }
  : T extends object
    ? { [Key in keyof T]?: Part<T[Key]> }
    : T extends string
      ? string
      : T;

/** An object of which a test gives only what the code under test uses. */
export function fake<T>(part: Part<T>): T;
export function fake(part: unknown): unknown {
  return part;
}
