/** Afterwards it is found out again: the operator may have changed the server's model. */
const MAX_AGE_MS = 3_600_000;

/**
 * Servers refuse what they do not know of a request with one of these, unlike a file or a key that is wrong. Some template
 * engines and whisper servers fail instead of refusing.
 */
const REFUSALS = [400, 422, 500];

/**
 * Finds out which form of a request a server accepts, by sending it in the best form first. The name of a model does not
 * tell: servers choose names freely.
 */
export class AcceptedOption<Option> {
  private found: { option: Option; at: number } | undefined;

  /** @param options the best one first; the last one is what every server accepts */
  constructor(private readonly options: readonly Option[]) {}

  /**
   * Sends in the form that was accepted before; otherwise in each form until one is accepted.
   * @throws what `send` throws for a known form, for any other reason than a refusal, and for the last form
   */
  async use<Result>(send: (option: Option) => Promise<Result>): Promise<Result> {
    if (this.found && performance.now() - this.found.at < MAX_AGE_MS) return send(this.found.option);
    let refusal: unknown;
    for (const option of this.options) {
      try {
        const result = await send(option);
        this.found = { option, at: performance.now() };
        return result;
      } catch (error) {
        if (!REFUSALS.includes(Number((error as { status?: unknown } | null)?.status))) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }
}
