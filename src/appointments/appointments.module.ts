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
import { Appointments } from './appointments';
import { AppointmentsController } from './appointments.controller';
import { CallsAppointments } from './calls-appointments';
import { ConfirmedAppointments } from './confirmed-appointments';
import { CustomersAppointments } from './customers-appointments';
import { DepartmentsAppointments } from './departments-appointments';

@Module({
  imports: [TypeOrmModule.forFeature([Appointment]), CustomersModule, AccessLinksModule],
  controllers: [AppointmentsController],
  providers: [
    AppointmentInvitations,
    AppointmentLinks,
    AppointmentList,
    AppointmentMails,
    Appointments,
    AppointmentStates,
    AppointmentSweeper,
    CallsAppointments,
    ConfirmedAppointments,
    CustomersAppointments,
    DepartmentsAppointments,
  ],
})
export class AppointmentsModule {}
