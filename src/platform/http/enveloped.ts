/** A response with metadata, for example the period of a report. */
export class Enveloped<Data, Meta> {
  constructor(
    readonly data: Data,
    readonly meta: Meta,
  ) {}
}
