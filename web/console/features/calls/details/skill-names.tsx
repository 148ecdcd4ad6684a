import { useSkillNames } from '../../../state/use-skills';
import { callsTexts } from '../texts/texts';

/** Skills with their levels. */
export function SkillNames({ skills }: { skills: readonly { skill_id: string; min_level: number }[] }) {
  const { facts } = callsTexts.use();
  const names = useSkillNames(skills.length > 0);
  return skills
    .map(({ skill_id, min_level }) => facts.level(names.get(skill_id) ?? '…', min_level))
    .join(' · ');
}
