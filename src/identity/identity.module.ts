import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlansModule } from '../plans/plans.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { CredentialPurge } from './credential-purge';
import { ConfirmationPageController } from './confirmation/confirmation-page.controller';
import { EmailConfirmation } from './confirmation/email-confirmation';
import { AddressChangeMail } from './mail/address-change-mail';
import { StaffMail } from './mail/staff-mail';
import { CodeAllowance } from './mfa/code-allowance';
import { MfaService } from './mfa/mfa.service';
import { MfaController } from './mfa/mfa.controller';
import { Reauthentication } from './mfa/reauthentication';
import { SecondFactor } from './mfa/second-factor';
import { VerifyMfa } from './mfa/verify-mfa';
import { VerifyMfaController } from './mfa/verify-mfa.controller';
import { ForgotPassword } from './password-reset/forgot-password';
import { InvitationsController } from './password-reset/invitations.controller';
import { PasswordMails } from './password-reset/password-mails';
import { PasswordPageController } from './password-reset/password-page.controller';
import { PasswordResetController } from './password-reset/password-reset.controller';
import { PasswordTokens } from './password-reset/password-tokens';
import { ResendInvitation } from './password-reset/resend-invitation';
import { ResetPassword } from './password-reset/reset-password';
import { AuthController } from './sessions/auth.controller';
import { CompleteLogin } from './sessions/complete-login';
import { FailedLoginRecorder } from './sessions/failed-login-recorder';
import { JwtStrategy } from './access/jwt.strategy';
import { Login } from './sessions/login';
import { LoginAccountFinder } from './sessions/login-account-finder';
import { LoginAddresses } from './sessions/login-addresses';
import { LoginDelays } from './sessions/login-delays';
import { Logout } from './sessions/logout';
import { MfaAttemptStore } from './sessions/mfa-attempt-store';
import { OwnSessionsService } from './sessions/own-sessions.service';
import { OwnSessionsController } from './sessions/own-sessions.controller';
import { RefreshSession } from './sessions/refresh-session';
import { SessionAccessListener } from './sessions/session-access-listener';
import { Session } from './sessions/session.entity';
import { SessionStateCache } from './sessions/session-state-cache';
import { SessionsService } from './sessions/sessions.service';
import { InvitationsService } from './users/invitations.service';
import { MembershipsService } from './users/memberships.service';
import { PasswordHasher } from './users/password-hasher';
import { SetPassword } from './users/set-password';
import { User } from './users/user.entity';
import { AvatarsController } from './users/avatars.controller';
import { UserAvatarController } from './users/user-avatar.controller';
import { UserAvatarsService } from './users/user-avatars.service';
import { UserList } from './users/user-list';
import { UsersController } from './users/users.controller';
import { InviteUsers } from './users/invite-users';
import { UsersService } from './users/users.service';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { USER_CONSTRAINTS } from './users/user.constraints';

const MAIL = [AddressChangeMail, StaffMail];
const USERS = [
  InvitationsService,
  InviteUsers,
  MembershipsService,
  PasswordHasher,
  SetPassword,
  UserAvatarsService,
  UserList,
  UsersService,
];
const LOGIN = [
  CompleteLogin,
  FailedLoginRecorder,
  Login,
  LoginAccountFinder,
  LoginAddresses,
  LoginDelays,
  Logout,
  MfaAttemptStore,
  RefreshSession,
];
const SESSIONS = [JwtStrategy, OwnSessionsService, SessionAccessListener, SessionsService, SessionStateCache];
const MFA = [CodeAllowance, MfaService, Reauthentication, SecondFactor, VerifyMfa];
const PASSWORD_RESET = [ForgotPassword, PasswordMails, PasswordTokens, ResendInvitation, ResetPassword];

CONSTRAINT_ERRORS.register(USER_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([User, Session]), PlansModule, RateLimitModule, TenancyModule],
  // In the order in which the OpenAPI document lists them.
  controllers: [
    AuthController,
    VerifyMfaController,
    PasswordResetController,
    MfaController,
    OwnSessionsController,
    PasswordPageController,
    ConfirmationPageController,
    UsersController,
    UserAvatarController,
    AvatarsController,
    InvitationsController,
  ],
  providers: [
    ...MAIL,
    ...USERS,
    ...LOGIN,
    ...SESSIONS,
    ...MFA,
    ...PASSWORD_RESET,
    EmailConfirmation,
    CredentialPurge,
  ],
  exports: [
    EmailConfirmation,
    InvitationsService,
    JwtStrategy,
    MembershipsService,
    MfaService,
    PasswordHasher,
    PasswordMails,
    PasswordTokens,
    SessionStateCache,
    StaffMail,
    UsersService,
  ],
})
export class IdentityModule {}
