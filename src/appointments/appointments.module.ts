import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessLinksModule } from '../access-links/access-links.module';
import { CustomersModule } from '../customers/customers.module';
import { Appointment } from './appointment.entity';
import { AppointmentInvitations } from './appointment-invitations';
import { AppointmentLinks } from './appointment-links';
import { AppointmentList } from './appointment-list';
import { AppointmentMails } from './appointment-mails';
import { AppointmentStates } from './appointment-states';
import { AppointmentSweeper } from './appointment-sweeper';
import { AppointmentsService } from './appointments.service';
import { AppointmentsController } from './appointments.controller';
import { CompleteCalledAppointments } from './complete-called-appointments';
import { ConfirmedAppointments } from './confirmed-appointments';
import { AppointmentPersonalData } from './appointment-personal-data';
import { CancelDepartmentAppointments } from './cancel-department-appointments';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { APPOINTMENT_CONSTRAINTS } from './appointment.constraints';

CONSTRAINT_ERRORS.register(APPOINTMENT_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([Appointment]), CustomersModule, AccessLinksModule],
  controllers: [AppointmentsController],
  providers: [
    AppointmentInvitations,
    AppointmentLinks,
    AppointmentList,
    AppointmentMails,
    AppointmentsService,
    AppointmentStates,
    AppointmentSweeper,
    CompleteCalledAppointments,
    ConfirmedAppointments,
    AppointmentPersonalData,
    CancelDepartmentAppointments,
  ],
})
export class AppointmentsModule {}
