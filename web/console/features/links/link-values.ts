import { requiredSkills, type RequiredSkillValue } from '../../ui/required-skills/required-skill';
import { instantOf, type WallTime } from '../../ui/wall-time';
import type { NewLink } from './use-links';

/** What the form of a link holds. */
export interface LinkValues {
  department_id: string;
  /** In the zone that the form names. */
  expires_at: WallTime;
  /** Empty for no limit. */
  max_uses: number | string;
  priority: number | string;
  skills: RequiredSkillValue[];
}

export const EMPTY_LINK: LinkValues = {
  department_id: '',
  expires_at: '',
  max_uses: '',
  priority: 0,
  skills: [],
};

const numberOr = (value: number | string, otherwise: null | number) =>
  value === '' ? otherwise : Number(value);

/** @param zone the IANA name of the zone of `expires_at`. @returns what the service takes */
export function linkInput(values: LinkValues, zone: string): NewLink {
  return {
    department_id: values.department_id,
    expires_at: instantOf(values.expires_at, zone)?.toISOString() ?? null,
    max_uses: numberOr(values.max_uses, null),
    priority: numberOr(values.priority, 0),
    skills: requiredSkills(values.skills),
  };
}
