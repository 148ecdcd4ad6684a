/** Afterwards the form is found out again: the operator may have changed the server's model. */
const MAX_AGE_MS = 3_600_000;

/** The same after an error that may have had another reason than the form. */
const MAX_AGE_AFTER_ERROR_MS = 300_000;

/** Refusals of the accepted form in succession after which another one takes its place: one file alone says nothing of it. */
const MAX_REFUSALS = 3;

/** How servers refuse what they do not know of a request, unlike a file or a key that is wrong. */
const REFUSALS: unknown[] = [400, 422];

/** Some template engines and whisper servers fail instead of refusing. */
const ERROR = 500;

/**
 * Finds out which form of a request a server accepts, by sending it in the best form first. The name of a model does not
 * tell: servers choose names freely.
 */
export class AcceptedOption<Option> {
  private found: { option: Option; until: number; refusals: number } | undefined;

  /** @param options the best one first; the last one is what every server accepts */
  constructor(private readonly options: readonly Option[]) {}

  /**
   * Sends in the form that was accepted before, then in each other form until one is accepted.
   * @throws what `send` throws for any other reason than the form; if all forms are refused an error, which may be over
   *   after a retry, rather than a refusal
   */
  async use<Result>(send: (option: Option) => Promise<Result>): Promise<Result> {
    const found = this.found && performance.now() < this.found.until ? this.found : undefined;
    const known = found?.option;
    const others = this.options.filter((option) => option !== known);
    let failure: unknown;
    let refusal: unknown;
    for (const option of known === undefined ? others : [known, ...others]) {
      try {
        const result = await send(option);
        if (found && option === known) found.refusals = 0;
        else if (!found || ++found.refusals >= MAX_REFUSALS)
          this.remember(option, failure ? MAX_AGE_AFTER_ERROR_MS : MAX_AGE_MS);
        return result;
      } catch (error) {
        const status = (error as { status?: unknown } | null)?.status;
        if (status === ERROR && option !== known) failure = error;
        else if (REFUSALS.includes(status)) refusal = error;
        else throw error;
      }
    }
    throw failure ?? refusal;
  }

  private remember(option: Option, maxAgeMs: number): void {
    this.found = { option, until: performance.now() + maxAgeMs, refusals: 0 };
  }
}
