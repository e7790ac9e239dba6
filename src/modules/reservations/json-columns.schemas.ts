/** The JSON column of reservations. */
import { defineJsonColumn } from '@/shared/json-column';
import { Metadata } from '@/shared/metadata';

export const reservationMetadataJsonColumn = defineJsonColumn<Metadata>('Reservation.metadata', Metadata);
