/** What a transcription is asked for beside its model. */
export interface TranscriptionFormat {
  response_format: 'diarized_json' | 'json' | 'verbose_json';
  chunking_strategy?: 'auto';
}

/** The most telling answer that a model of the OpenAI API can give; a model may have its maker's name before it. */
export function transcriptionFormat(model: string): TranscriptionFormat {
  const name = model.toLowerCase().replace(/^.*\//, '');
  if (name.includes('diarize')) return { response_format: 'diarized_json', chunking_strategy: 'auto' };
  return { response_format: name.startsWith('gpt-') ? 'json' : 'verbose_json' };
}
