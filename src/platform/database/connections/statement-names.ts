/** A text that is sent less often is not worth preparing. */
const MIN_USES = 3;
/** Bounds the memory for texts that are counted. */
const MAX_COUNTED = 2000;

/**
 * Names the statements that are sent again and again, so that PostgreSQL parses and plans each of them once in a
 * connection instead of every time.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private uses = new Map<string, number>();

  /**
   * @param prefix of the names, which no other instance has
   * @param maxNames names are never released. A prepared statement costs memory in each connection's server process, some
   *   ten kilobytes
   */
  constructor(
    private readonly prefix: string,
    private readonly maxNames: number,
  ) {}

  /** @returns the name of a text that is worth preparing, the same for all connections; otherwise undefined */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= this.maxNames) return undefined;
    const uses = (this.uses.get(text) ?? 0) + 1;
    if (uses >= MIN_USES) return this.add(text);
    if (this.uses.size >= MAX_COUNTED) this.uses = new Map();
    this.uses.set(text, uses);
    return undefined;
  }

  private add(text: string): string {
    const name = `${this.prefix}${this.names.size + 1}`;
    this.names.set(text, name);
    this.uses.delete(text);
    return name;
  }
}
