import { Tenancy1780000000001 } from './0001-tenancy';
import { Identity1780000000002 } from './0002-identity';
import { Departments1780000000003 } from './0003-departments';
import { Calls1780000000004 } from './0004-calls';
import { IdentityCompleted1780000000005 } from './0005-identity-completed';
import { AuditLog1780000000006 } from './0006-audit-log';
import { TenantLogos1780000000007 } from './0007-tenant-logos';
import { Billing1780000000008 } from './0008-billing';
import { IdempotencyIndex1780000000009 } from './0009-idempotency-index';
import { StoredObjects1780000000010 } from './0010-stored-objects';
import { Tags1780000000011 } from './0011-tags';
import { CallFiles1780000000012 } from './0012-call-files';
import { Recordings1780000000013 } from './0013-recordings';
import { RecordingUploads1780000000014 } from './0014-recording-uploads';
import { Transcripts1780000000015 } from './0015-transcripts';
import { Customers1780000000016 } from './0016-customers';
import { Appointments1780000000017 } from './0017-appointments';
import { Analytics1780000000018 } from './0018-analytics';
import { Webhooks1780000000019 } from './0019-webhooks';
import { WebhookDisabled1780000000020 } from './0020-webhook-disabled';
import { CallsOfDeletedDepartments1780000000021 } from './0021-calls-of-deleted-departments';
import { CallWords1780000000022 } from './0022-call-words';
import { DeadInstances1780000000023 } from './0023-dead-instances';
import { WebhookJobs1780000000024 } from './0024-webhook-jobs';
import { QueueAbuse1780000000025 } from './0025-queue-abuse';
import { RecordingInspection1780000000026 } from './0026-recording-inspection';
import { StorageQuota1780000000027 } from './0027-storage-quota';
import { SignIn1780000000028 } from './0028-sign-in';
import { NaturalOrderOfNames1780000000029 } from './0029-natural-order-of-names';
import { DeclaredTypes1780000000030 } from './0030-declared-types';
import { MailAllowance1780000000031 } from './0031-mail-allowance';
import { InvitedRecipient1780000000032 } from './0032-invited-recipient';
import { LoginKeys1780000000033 } from './0033-login-keys';
import { UploadReservations1780000000034 } from './0034-upload-reservations';
import { ConfirmedUsers1780000000035 } from './0035-confirmed-users';
import { Retention1780000000036 } from './0036-retention';
import { CallIndexes1780000000037 } from './0037-call-indexes';
import { QueueChanges1780000000038 } from './0038-queue-changes';
import { RoutingSettings1780000000039 } from './0039-routing-settings';
import { CallLine1780000000040 } from './0040-call-line';
import { AgentStates1780000000041 } from './0041-agent-states';
import { Offers1780000000042 } from './0042-offers';
import { QueueAlerts1780000000043 } from './0043-queue-alerts';
import { DepartmentsOfOpenCalls1780000000045 } from './0045-departments-of-open-calls';
import { ReportViews1780000000046 } from './0046-report-views';
import { WaitingCalls1780000000047 } from './0047-waiting-calls';
import { OpeningHours1780000000048 } from './0048-opening-hours';
import { Overflow1780000000049 } from './0049-overflow';
import { Callbacks1780000000050 } from './0050-callbacks';
import { WaitEstimates1780000000051 } from './0051-wait-estimates';
import { PageSessions1780000000052 } from './0052-page-sessions';
import { Conversations1780000000053 } from './0053-conversations';
import { RecordingParts1780000000054 } from './0054-recording-parts';
import { ViewRefreshes1780000000055 } from './0055-view-refreshes';
import { SkillsSince1780000000056 } from './0056-skills-since';
import { Installation1780000000057 } from './0057-installation';
import { LegalHolds1780000000058 } from './0058-legal-holds';
import { Erasures1780000000059 } from './0059-erasures';
import { HeldAuditRows1780000000060 } from './0060-held-audit-rows';
import { CallbackPages1780000000061 } from './0061-callback-pages';
import { ErasureReceipts1780000000075 } from './0075-erasure-receipts';
import { UnsignedErasures1780000000076 } from './0076-unsigned-erasures';
import { ErasedObjects1780000000077 } from './0077-erased-objects';
import { ReceiptKeys1780000000078 } from './0078-receipt-keys';
import { InstallationId1780000000079 } from './0079-installation-id';
import { ErasedObjectsIndex1780000000080 } from './0080-erased-objects-index';
import { RepeatedFileUploads1780000000081 } from './0081-repeated-file-uploads';
import { LeftCalls1780000000084 } from './0084-left-calls';
import { LeftCallSums1780000000085 } from './0085-left-call-sums';
import { NotTakingCalls1780000000086 } from './0086-not-taking-calls';
import { WaitsFrom1780000000090 } from './0090-waits-from';
import { ToldWaits1780000000091 } from './0091-told-waits';
import { ToldWaitSums1780000000092 } from './0092-told-wait-sums';
import { ClosedMessages1780000000093 } from './0093-closed-messages';
import { PrivacyNotices1780000000094 } from './0094-privacy-notices';
import { UserAvatars1780000000095 } from './0095-user-avatars';
import { CustomerFiles1780000000096 } from './0096-customer-files';
import { CannedReplies1780000000098 } from './0098-canned-replies';
import { TimezoneOffsets1780000000100 } from './0100-timezone-offsets';
import { RefreshSuccessors1780000000104 } from './0104-refresh-successors';
import { VisibleAddresses1780000000105 } from './0105-visible-addresses';
import { CancelledSubscriptions1780000000108 } from './0108-cancelled-subscriptions';
import { PaymentCorrections1780000000112 } from './0112-payment-corrections';
import { NormalizedPhones1780000000113 } from './0113-normalized-phones';
import { NormalizedPhoneIndexes1780000000114 } from './0114-normalized-phone-indexes';
import { WebhookEvents1780000000115 } from './0115-webhook-events';
import { DeletedDepartments1780000000117 } from './0117-deleted-departments';
import { OpenLinkIndex1780000000118 } from './0118-open-link-index';
import { CustomersCreatedBy1780000000119 } from './0119-customers-created-by';
import { CallbackMails1780000000121 } from './0121-callback-mails';
import { AwaitedCallbackMails1780000000122 } from './0122-awaited-callback-mails';
import { AddressesOfEndedCalls1780000000123 } from './0123-addresses-of-ended-calls';
import { ConfirmedIdentities1780000000124 } from './0124-confirmed-identities';
import { ResumedAt1780000000130 } from './0130-resumed-at';
import { CountedDeliveryIndex1780000000131 } from './0131-counted-delivery-index';

/** All migrations, oldest first. The number at the end of a class name is its place in the order. */
export const MIGRATIONS = [
  Tenancy1780000000001,
  Identity1780000000002,
  Departments1780000000003,
  Calls1780000000004,
  IdentityCompleted1780000000005,
  AuditLog1780000000006,
  TenantLogos1780000000007,
  Billing1780000000008,
  IdempotencyIndex1780000000009,
  StoredObjects1780000000010,
  Tags1780000000011,
  CallFiles1780000000012,
  Recordings1780000000013,
  RecordingUploads1780000000014,
  Transcripts1780000000015,
  Customers1780000000016,
  Appointments1780000000017,
  Analytics1780000000018,
  Webhooks1780000000019,
  WebhookDisabled1780000000020,
  CallsOfDeletedDepartments1780000000021,
  CallWords1780000000022,
  DeadInstances1780000000023,
  WebhookJobs1780000000024,
  QueueAbuse1780000000025,
  RecordingInspection1780000000026,
  StorageQuota1780000000027,
  SignIn1780000000028,
  NaturalOrderOfNames1780000000029,
  DeclaredTypes1780000000030,
  MailAllowance1780000000031,
  InvitedRecipient1780000000032,
  LoginKeys1780000000033,
  UploadReservations1780000000034,
  ConfirmedUsers1780000000035,
  Retention1780000000036,
  CallIndexes1780000000037,
  QueueChanges1780000000038,
  RoutingSettings1780000000039,
  CallLine1780000000040,
  AgentStates1780000000041,
  Offers1780000000042,
  QueueAlerts1780000000043,
  DepartmentsOfOpenCalls1780000000045,
  ReportViews1780000000046,
  WaitingCalls1780000000047,
  OpeningHours1780000000048,
  Overflow1780000000049,
  Callbacks1780000000050,
  WaitEstimates1780000000051,
  PageSessions1780000000052,
  Conversations1780000000053,
  RecordingParts1780000000054,
  ViewRefreshes1780000000055,
  SkillsSince1780000000056,
  Installation1780000000057,
  LegalHolds1780000000058,
  Erasures1780000000059,
  HeldAuditRows1780000000060,
  CallbackPages1780000000061,
  ErasureReceipts1780000000075,
  UnsignedErasures1780000000076,
  ErasedObjects1780000000077,
  ReceiptKeys1780000000078,
  InstallationId1780000000079,
  ErasedObjectsIndex1780000000080,
  RepeatedFileUploads1780000000081,
  LeftCalls1780000000084,
  LeftCallSums1780000000085,
  NotTakingCalls1780000000086,
  WaitsFrom1780000000090,
  ToldWaits1780000000091,
  ToldWaitSums1780000000092,
  ClosedMessages1780000000093,
  PrivacyNotices1780000000094,
  UserAvatars1780000000095,
  CustomerFiles1780000000096,
  CannedReplies1780000000098,
  TimezoneOffsets1780000000100,
  RefreshSuccessors1780000000104,
  VisibleAddresses1780000000105,
  CancelledSubscriptions1780000000108,
  PaymentCorrections1780000000112,
  NormalizedPhones1780000000113,
  NormalizedPhoneIndexes1780000000114,
  WebhookEvents1780000000115,
  DeletedDepartments1780000000117,
  OpenLinkIndex1780000000118,
  CustomersCreatedBy1780000000119,
  CallbackMails1780000000121,
  AwaitedCallbackMails1780000000122,
  AddressesOfEndedCalls1780000000123,
  ConfirmedIdentities1780000000124,
  ResumedAt1780000000130,
  CountedDeliveryIndex1780000000131,
];
