/** The three languages have two forms: one for 1, and one for all other numbers. */
export const plural = (n: number, one: string, other: string): string => (n === 1 ? one : other);
