import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

export class CannedReplyCreated extends DomainEvent {
  readonly type = 'canned_reply.created';
}

export class CannedReplyUpdated extends RecordUpdated {
  readonly type = 'canned_reply.updated';
}

export class CannedReplyDeleted extends DomainEvent {
  readonly type = 'canned_reply.deleted';
}
