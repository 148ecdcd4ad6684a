import { List, Text } from '@mantine/core';
import { formatDuration } from '../../../ui/duration';
import { useSkillNames } from '../../../state/use-skills';
import { timelineTexts } from './texts/texts';
import type { Candidate } from './timeline.types';

/** Who could have been offered the call when it was, the best one first. */
export function CandidateList({ candidates, offeredAt }: { candidates: Candidate[]; offeredAt: string }) {
  const texts = timelineTexts.use();
  const skillNames = useSkillNames(candidates.some(({ skills }) => (skills ?? []).length > 0));
  const idle = ({ idle_since }: Candidate) =>
    idle_since === null
      ? texts.neverIdle
      : texts.idle(formatDuration(Date.parse(offeredAt) - Date.parse(idle_since)));
  return (
    <details>
      <Text component="summary" size="sm">
        {texts.why}
      </Text>
      <Text size="sm">{texts.whyText(candidates.length)}</Text>
      <List type="ordered" size="sm">
        {candidates.map((candidate) => (
          <List.Item key={candidate.user_id}>
            {[
              candidate.user_name,
              idle(candidate),
              ...(candidate.skills ?? []).map(({ skill_id, level }) =>
                texts.skill(skillNames.get(skill_id) ?? texts.unknownSkill, level),
              ),
            ].join(' · ')}
          </List.Item>
        ))}
      </List>
    </details>
  );
}
