/** Why a command cannot be carried out; its message is a sentence for the operator. */
export class CommandError extends Error {}
