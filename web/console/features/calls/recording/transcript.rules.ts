/** What one speaker says before another one does. */
export interface Turn {
  speaker: string | null;
  text: string;
}

/** `A: Good morning` */
const TURN = /^(\w{1,3}): (.*)$/;

/** @param transcript one line per turn */
export function turnsOf(transcript: string): Turn[] {
  return transcript
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [, speaker = null, text = line] = TURN.exec(line) ?? [];
      return { speaker, text };
    });
}

/** What is left of a text that the service cannot give. */
export type Missing = 'noPlan' | 'none' | 'pending' | 'failed';

const MISSING: Record<string, Missing> = {
  feature_not_in_plan: 'noPlan',
  none: 'none',
  not_ready: 'pending',
  failed: 'failed',
};

/** @param code of the refusal. @returns undefined for another failure */
export const missingOf = (code: string): Missing | undefined => MISSING[code];
