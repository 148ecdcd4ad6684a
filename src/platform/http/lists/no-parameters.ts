/** The query parameters of a list that has none, so that a filter that it does not have is refused. */
export class NoParameters {}
