/** The conditions of a WHERE clause, and their values in the order of their numbers. */
export class Filter {
  readonly values: unknown[] = [];
  /** The values by which two filters of the same SQL differ: without parameters, which do not affect the rows. */
  readonly identity: unknown[] = [];
  /** Whether a condition searches text. */
  isSearch = false;
  private readonly conditions: string[] = [];

  /** Adds a condition in which every `?` stands for `value`. */
  and(condition: string, value: unknown): this {
    this.identity.push(value);
    return this.add(condition, value);
  }

  /** As `andIf`, for a condition that searches text: the list then uses a share of the connections (ListQuery). */
  andSearch(condition: string, value: unknown): this {
    this.isSearch ||= value !== undefined && value !== null;
    return this.andIf(condition, value);
  }

  /** As `and`, unless the value is undefined or null. */
  andIf(condition: string, value: unknown): this {
    return value === undefined || value === null ? this : this.and(condition, value);
  }

  /** Adds a value that the selected columns refer to by its number; it does not affect the rows. */
  parameter(type: string, value: unknown): this {
    return this.add(`?::${type} IS NOT NULL`, value);
  }

  /** The WHERE clause; empty without conditions. */
  get sql(): string {
    return this.conditions.length > 0 ? `WHERE ${this.conditions.join(' AND ')}` : '';
  }

  private add(condition: string, value: unknown): this {
    this.values.push(value);
    this.conditions.push(condition.replaceAll('?', `$${this.values.length}`));
    return this;
  }
}
