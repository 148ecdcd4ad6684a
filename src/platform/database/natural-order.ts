/**
 * Sorts a name as readers expect: by its letters first, then by accents, then by case (the Unicode Collation Algorithm).
 * The order of the database depends on its locale: by bytes, as in the embedded PostgreSQL, "ana" follows "Zoe".
 * @param expression SQL with a text value
 */
export const naturalOrder = (expression: string): string => `${expression} COLLATE natural_language`;
