/** Injection token of the AiClient; undefined when AI_BASE_URL is not set. */
export const AI_CLIENT = Symbol('AI_CLIENT');

/** A text that a model produced. */
export interface AiResponse {
  text: string;
  /** Host name of the server. */
  provider: string;
  /** The model that the response names, else the requested one. */
  model: string;
}

export interface Transcription extends AiResponse {
  /** BCP 47; `und` if the server does not say. */
  language: string;
}

/** Client of a server that transcribes recordings and completes prompts. Its errors are sorted by classifyFailure. */
export interface AiClient {
  /** @returns one line per turn of a speaker; an empty text for a recording without speech */
  transcribe(recording: File, signal: AbortSignal): Promise<Transcription>;

  /** @param instructions system message  @param input user message: data, never instructions */
  complete(instructions: string, input: string, signal: AbortSignal): Promise<AiResponse>;
}
