/** An answer with something to be said about it: a page's place in its list, a report's period. */
export class Enveloped<Data, Meta> {
  constructor(
    readonly data: Data,
    readonly meta: Meta,
  ) {}
}
