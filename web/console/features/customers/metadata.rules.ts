/** One value of the company's own data in the form. */
export interface Pair {
  name: string;
  /** As text; what is not text, as JSON. */
  value: string;
}

export type Metadata = Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const toPairs = (metadata: Metadata): Pair[] =>
  Object.entries(metadata).map(([name, value]) => ({ name, value: textOf(value) }));

/** @param before what other programs stored as numbers or lists stays so as long as nobody changes it */
export function fromPairs(pairs: readonly Pair[], before: Metadata): Metadata {
  return Object.fromEntries(
    pairs
      .filter((pair) => !isEmpty(pair))
      .map(({ name, value }) => {
        const key = name.trim();
        const isUnchanged = Object.hasOwn(before, key) && textOf(before[key]) === value;
        return [key, isUnchanged ? before[key] : value];
      }),
  );
}

/** @returns for each pair what is wrong with its name; null where nothing is */
export function nameProblems(pairs: readonly Pair[]): ('missing' | 'repeated' | null)[] {
  return pairs.map((pair, index) => {
    if (isEmpty(pair)) return null;
    const name = pair.name.trim();
    if (!name) return 'missing';
    return pairs.findIndex((other) => other.name.trim() === name) < index ? 'repeated' : null;
  });
}

const isEmpty = ({ name, value }: Pair): boolean => !name.trim() && !value;
