import { transcriptionFormat } from './transcription-format';

describe('transcriptionFormat', () => {
  it.each([
    ['whisper-1', { response_format: 'verbose_json' }],
    ['Systran/faster-whisper-large-v3', { response_format: 'verbose_json' }],
    ['gpt-4o-transcribe', { response_format: 'json' }],
    ['gpt-transcribe', { response_format: 'json' }],
    ['openai/gpt-4o-mini-transcribe', { response_format: 'json' }],
    ['gpt-4o-transcribe-diarize', { response_format: 'diarized_json', chunking_strategy: 'auto' }],
  ])('of %s', (model, format) => {
    expect(transcriptionFormat(model)).toEqual(format);
  });
});
