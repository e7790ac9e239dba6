import { en } from './en';
import type { Messages } from './types';

/** British English, and that of the countries that write it so: the words that differ from the master's American ones. */
export const enGB: Messages = {
  ...en,
  'category.trash': 'Rubbish and recycling',
  'consent.scope':
    'You are about to sign an acknowledgement of the information on this page electronically. Your typed name and your choice of “Sign now” count as your signature under the United States ESIGN Act and UETA, and as an electronic signature under the European eIDAS Regulation (EU) No 910/2014.',
  'consent.record':
    'As evidence we record what you were shown, the date and time, your name, your IP address and your browser. This consent covers this acknowledgement only.',
};
