import { en, type Messages } from './en';

export const enGB: Messages = { ...en, document_title: 'Certificate of acknowledgement' };
