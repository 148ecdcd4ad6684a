import { DomainEvent } from '../../platform/events/domain-event';
import { RecordUpdated } from '../../platform/events/record-updated';

export class SkillCreated extends DomainEvent {
  readonly type = 'skill.created';
}

export class SkillUpdated extends RecordUpdated {
  readonly type = 'skill.updated';
}

export class SkillDeleted extends DomainEvent {
  readonly type = 'skill.deleted';
}

/** A user (subject) gained or lost skills, or has other levels of them. */
export class UserSkillsChanged extends DomainEvent {
  readonly type = 'user.skills_changed';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    /** The skills that were added, removed or changed. */
    readonly skill_ids: string[],
  ) {
    super(tenantId, userId, occurredAt);
  }

  override get details() {
    return { skill_ids: this.skill_ids };
  }
}
