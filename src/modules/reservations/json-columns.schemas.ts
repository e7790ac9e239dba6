/** The JSON column of reservations. */
import { defineJsonColumn } from '@/shared/json-column';
import { Metadata } from '@/shared/metadata';

export const reservationMetadataColumn = defineJsonColumn<Metadata>('Reservation.metadata', Metadata);
