import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlansModule } from '../plans/plans.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { LoginAccounts } from './sessions/accounts';
import { AuthController } from './sessions/auth.controller';
import { FailedLogins } from './sessions/failed-logins';
import { JwtStrategy } from './sessions/jwt.strategy';
import { Login } from './sessions/login';
import { Logout } from './sessions/logout';
import { Memberships } from './users/memberships';
import { Mfa } from './mfa/mfa';
import { MfaAttempts } from './mfa/mfa-attempts';
import { MfaController } from './mfa/mfa.controller';
import { SecondFactor } from './mfa/second-factor';
import { VerifyMfa } from './mfa/verify-mfa';
import { OwnSessions } from './sessions/own-sessions';
import { OwnSessionsController } from './sessions/own-sessions.controller';
import { AddressChangeMail } from './mail/address-change-mail';
import { ForgotPassword } from './password-reset/forgot-password';
import { Invitations } from './password-reset/invitations';
import { PasswordMails } from './password-reset/password-mails';
import { PasswordPageController } from './password-reset/password-page.controller';
import { PasswordTokens } from './password-reset/password-tokens';
import { ResetPassword } from './password-reset/reset-password';
import { Refresh } from './sessions/refresh';
import { StaffMail } from './mail/staff-mail';
import { Session } from './sessions/session.entity';
import { SessionStates } from './sessions/session-states';
import { SessionsService } from './sessions/sessions.service';
import { SignIn } from './sessions/sign-in';
import { TenantMfaPolicy } from './mfa/tenant-mfa-policy';
import { User } from './users/user.entity';
import { UserList } from './users/user-list';
import { UsersService } from './users/users.service';
import { UsersController } from './users/users.controller';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { USER_CONSTRAINTS } from './users/user.constraints';

const LOGIN = [LoginAccounts, FailedLogins, JwtStrategy, Login, Logout, Refresh, SignIn];
const SESSIONS = [OwnSessions, SessionsService, SessionStates, TenantMfaPolicy];
const MFA = [Mfa, MfaAttempts, SecondFactor, VerifyMfa];
const PASSWORDS = [ForgotPassword, PasswordTokens, ResetPassword];
const MAILS = [AddressChangeMail, Invitations, PasswordMails, StaffMail];
const USERS = [Memberships, UserList, UsersService];

CONSTRAINT_ERRORS.register(USER_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([User, Session]), PassportModule, PlansModule, RateLimitModule],
  controllers: [
    AuthController,
    MfaController,
    OwnSessionsController,
    PasswordPageController,
    UsersController,
  ],
  providers: [...LOGIN, ...SESSIONS, ...MFA, ...PASSWORDS, ...MAILS, ...USERS],
  exports: [
    Invitations,
    Memberships,
    Mfa,
    PasswordMails,
    PasswordTokens,
    SessionStates,
    StaffMail,
    UsersService,
  ],
})
export class IdentityModule {}
