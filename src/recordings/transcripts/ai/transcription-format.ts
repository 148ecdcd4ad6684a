/** Request fields that depend on the model. */
export interface TranscriptionFormat {
  response_format: 'diarized_json' | 'json' | 'verbose_json';
  chunking_strategy?: 'auto';
}

/**
 * The most detailed response format that a model of the OpenAI API supports.
 * @param model may have the maker's name before it, such as `openai/whisper-1`
 */
export function transcriptionFormat(model: string): TranscriptionFormat {
  const name = model.toLowerCase().replace(/^.*\//, '');
  if (name.includes('diarize')) return { response_format: 'diarized_json', chunking_strategy: 'auto' };
  return { response_format: name.startsWith('gpt-') ? 'json' : 'verbose_json' };
}
