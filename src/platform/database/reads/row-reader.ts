import pg, { type FieldDef } from 'pg';
import { WIRE_TYPES } from './wire-types';

type Parse = (text: string) => unknown;

/** How the values of a type, which its OID identifies, are parsed. */
export type ParserOf = (oid: number) => Parse;

/** For rows that are sent to clients unchanged: timestamps are texts. */
export const parserOfWire = WIRE_TYPES.getTypeParser as ParserOf;

/** For rows that the service works with: timestamps are Dates. */
export const parserOfEntities = pg.types.getTypeParser as ParserOf;

const TEXT = 25;
/** What pg uses for text and for types that it does not know. */
const parseText = parserOfWire(TEXT);

/** Builds the rows of a result. It is built once for each prepared statement of a connection. */
export class RowReader {
  private readonly names: string[];
  /** Undefined for values that stay text. */
  private readonly parsers: (Parse | undefined)[];
  /** Copying it is faster than adding one property after another. */
  private readonly emptyRow: Record<string, unknown>;

  /** @param fields the columns of the result */
  constructor(fields: readonly FieldDef[], parserOf: ParserOf) {
    this.names = fields.map(({ name }) => name);
    this.parsers = fields.map(({ dataTypeID }) => {
      const parser = parserOf(dataTypeID);
      return parser === parseText ? undefined : parser;
    });
    this.emptyRow = Object.fromEntries(this.names.map((name) => [name, null]));
  }

  /** @param values of the columns as PostgreSQL writes them */
  read(values: readonly (string | null)[]): object {
    const row = { ...this.emptyRow };
    for (let index = 0; index < this.names.length; index++) {
      const value = values[index] ?? null;
      if (value === null) continue;
      const parse = this.parsers[index];
      row[this.names[index]] = parse ? parse(value) : value;
    }
    return row;
  }
}
