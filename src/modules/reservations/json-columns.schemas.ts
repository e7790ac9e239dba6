/** The JSON column of reservations. */
import { jsonColumn } from '@/shared/json-column';
import { Metadata } from '@/shared/metadata';

export const reservationMetadata = jsonColumn<Metadata>('Reservation.metadata', Metadata);
