const en = {
  title: 'Recording',
  which: 'Which recording',
  nth: (n: number, at: string) => `Recording ${n}, ${at}`,
  play: 'Play the recording',
  player: 'Recording of the call',
  download: 'Download the recording',
  remove: 'Delete the recording',
  removeQuestion: 'The recording and its transcript will be deleted for good. This cannot be undone.',
  removed: 'The recording was deleted.',
  transcript: 'Transcript',
  summary: 'Summary',
  silent: 'Nobody speaks in this recording.',
  speaker: (name: string) => `Speaker ${name}`,
  bySoftware: (model: string) => `Written by software (${model}). It may contain mistakes.`,
  noPlan: {
    transcript: 'Your plan does not include transcripts.',
    summary: 'Your plan does not include summaries.',
  },
  none: {
    transcript: 'There is no transcript of this recording.',
    summary: 'There is no summary of this recording.',
  },
  pending: {
    transcript: 'The transcript is being written…',
    summary: 'The summary is being written…',
  },
  failed: {
    transcript: 'The transcript could not be written.',
    summary: 'The summary could not be written.',
  },
  retry: 'Request it again',
  requested: 'It was requested and will appear here.',
  nothingToRetry: 'There is nothing to request: this service writes no transcripts now.',
};

export default en;
export type RecordingTexts = typeof en;
