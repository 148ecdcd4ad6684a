/** What a command cannot do, in a sentence for the operator. */
export class Refusal extends Error {}
