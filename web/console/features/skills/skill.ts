import type { components } from '../../../shared/api/client';

export type Skill = components['schemas']['SkillDto'];

export const SKILLS_KEY = ['skills'];
