/**
 * The maximum size of a file to import. This module is separate from the parser, so that browsers
 * need not load the large parser.
 */

/**
 * The maximum number of rows. All are created in one transaction, which blocks all other writers on
 * the embedded database.
 */
export const MAX_IMPORT_ROWS = 300;
export const MAX_IMPORT_TEXT_LENGTH = 400_000;

export const IMPORT_CSV_TEMPLATE = `property,guest_name,guest_email,locale,checkin_date,checkout_date,source,booking_code
Harbour Loft,Ada Lovelace,ada@example.com,en-GB,2027-05-04,2027-05-09,direct,
Harbour Loft,"Hopper, Grace",grace@example.com,,2027-05-12,2027-05-14,channel_a,HM4711
`;
