/** The value of a handler whose response has metadata, for example the period of a report. */
export class DataWithMeta<Data, Meta> {
  constructor(
    readonly data: Data,
    readonly meta: Meta,
  ) {}
}
