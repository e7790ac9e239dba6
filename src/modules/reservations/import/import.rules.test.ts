import { describe, expect, it } from 'vitest';
import { parseCsv } from './csv.rules';
import { parseImportDate } from './dates.rules';
import { IMPORT_CSV_TEMPLATE, MAX_IMPORT_ROWS } from './file.rules';
import {
  findRepeatedImportLines,
  getBookingIdentityKeys,
  parseReservationImport,
  type ReservationImportInput,
} from './import.rules';

const properties = [
  { id: 'prop_1', name: 'Harbour Loft' },
  { id: 'prop_2', name: 'Casa Azul' },
  { id: 'prop_3', name: 'casa azul' },
];
const channel_names = { channel_a: 'Airbnb', channel_b: 'Vrbo', channel_c: 'Booking.com' };
const read = (text: string, input: Partial<ReservationImportInput> = {}) =>
  parseReservationImport({ text, property_id: null, day_first: true, ...input }, { properties, channel_names });
const problemsOf = (text: string, input: Partial<ReservationImportInput> = {}) =>
  read(text, input).lines.map(({ line, problems }) => [
    line,
    problems.map(({ field, message }) => `${field}: ${message}`),
  ]);

describe('a CSV text', () => {
  it.each([
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa;b\r\n1;"2;3"\r\n\r\n',
      [
        ['a', 'b'],
        ['1', '2;3'],
      ],
    ],
    [
      'a\tb\r1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n"say ""hi""", " x "',
      [
        ['a', 'b'],
        ['say "hi"', 'x'],
      ],
    ],
    [
      'a,b\n"two\nlines",2\n3,4',
      [
        ['a', 'b'],
        ['two\nlines', '2'],
        ['3', '4'],
      ],
    ],
    ['', []],
    [
      'a,b\n "x,y" ,2',
      [
        ['a', 'b'],
        ['x,y', '2'],
      ],
    ],
    // A quotation mark within a cell is literal, and text after a quoted part belongs to the cell.
    [
      'a,b\nit"s,2',
      [
        ['a', 'b'],
        ['it"s', '2'],
      ],
    ],
    [
      'a,b\n"ab"c"d",2',
      [
        ['a', 'b'],
        ['abc"d"', '2'],
      ],
    ],
    [
      'a,b\n"""" "x",2',
      [
        ['a', 'b'],
        ['" "x"', '2'],
      ],
    ],
    [
      'a,b\n" " "x",2',
      [
        ['a', 'b'],
        ['x', '2'],
      ],
    ],
    [
      'a,x\uFEFFy\n1,2',
      [
        ['a', 'x\uFEFFy'],
        ['1', '2'],
      ],
    ],
    // The separator is the most frequent candidate in the first line outside quotation marks, or a
    // comma when there is a tie.
    [
      '"a;b;c",d\n1,2',
      [
        ['a;b;c', 'd'],
        ['1', '2'],
      ],
    ],
    [
      'a,b;c\n1,2;3',
      [
        ['a', 'b;c'],
        ['1', '2;3'],
      ],
    ],
  ])('like %j is parsed as %j', (text, cells) => {
    expect(parseCsv(text)).toMatchObject({ ok: true, records: cells.map((row) => ({ cells: row })) });
  });

  it('keeps the starting line of each record across empty lines and multi-line cells', () => {
    const parsed = parseCsv('a,b\n\n"x\ny",1\n\n2,3');
    expect(parsed.ok && parsed.records.map(({ line }) => line)).toEqual([1, 3, 6]);
  });

  it('with an unclosed quotation mark is rejected with its line', () => {
    expect(parseCsv('a,b\n1,2\n3,"4\n5,6')).toMatchObject({ ok: false, line: 3 });
  });
});

describe('a date', () => {
  it.each([
    ['2026-12-24', '2026-12-24'],
    ['2026/1/4', '2026-01-04'],
    ['24.12.2026', '2026-12-24'],
    ['4. 1. 2026', '2026-01-04'],
    ['24 Dec 2026', '2026-12-24'],
    ['24-dec-2026', '2026-12-24'],
    ['December 24, 2026', '2026-12-24'],
    ['Dec 4th, 2026', '2026-12-04'],
    ['2026-12-24T15:00:00', '2026-12-24'],
    ['2026-12-24 3:00 PM', '2026-12-24'],
    ['2026-12-24 3:00PM', '2026-12-24'],
    ['2026-12-24T15:00:00.123Z', '2026-12-24'],
    [' 2026-12-24 ', '2026-12-24'],
    ['24Dec2026', '2026-12-24'],
    ['24 December, 2026', '2026-12-24'],
    ['Dec 4 2026', '2026-12-04'],
    ['12/24/2026', '2026-12-24'],
    ['24/12/2026', '2026-12-24'],
    ['2026-02-30', null],
    ['30.02.2026', null],
    ['24.12.26', null],
    ['13/13/2026', null],
    ['24 Foo 2026', null],
    ['0000-01-01', null],
    ['01/01/0000', null],
    ['tomorrow', null],
    // A date with text before or after it is invalid.
    ...['2026-12-24', '24.12.2026', '24/12/2026', '24 Dec 2026', 'Dec 24, 2026'].flatMap((day): [string, null][] => [
      [`1${day}`, null],
      [`1 ${day}`, null],
      [`${day}7`, null],
      [`${day} 15:00 on`, null],
    ]),
  ])('written %s is read as %s', (text, day) => {
    expect(parseImportDate(text, true)).toBe(day);
    expect(parseImportDate(text, false)).toBe(day);
  });

  it('with slashes is read in the chosen order of day and month', () => {
    expect(parseImportDate('03/04/2026', true)).toBe('2026-04-03');
    expect(parseImportDate('03/04/2026', false)).toBe('2026-03-04');
  });
});

describe('an import', () => {
  it('reads its own template', () => {
    const { lines, problem, columns } = read(IMPORT_CSV_TEMPLATE);
    expect(problem).toBeNull();
    expect(columns.every(({ field }) => field !== null)).toBe(true);
    expect(lines.map(({ row }) => row)).toEqual([
      {
        property_id: 'prop_1',
        guest_name: 'Ada Lovelace',
        guest_email: 'ada@example.com',
        locale: 'en-GB',
        checkin_date: '2027-05-04',
        checkout_date: '2027-05-09',
        source: 'direct',
        external_id: null,
      },
      expect.objectContaining({ guest_name: 'Hopper, Grace', source: 'channel_a', external_id: 'HM4711' }),
    ]);
  });

  it('recognises alternative column names, joins first and last names, and lists unused columns', () => {
    const text = 'First Name,Last-Name,E-Mail,Arrival,Departure,Paid,Channel\nAda,Lovelace,,1.2.2027,3.2.2027,yes,vrbo';
    const { columns, lines } = read(text, { property_id: 'prop_1' });
    expect(columns.filter(({ field }) => field === null)).toEqual([{ header: 'Paid', field: null }]);
    expect(lines[0]?.row).toMatchObject({
      guest_name: 'Ada Lovelace',
      guest_email: null,
      checkin_date: '2027-02-01',
      source: 'channel_b',
      property_id: 'prop_1',
    });
  });

  it.each([
    ['pt_br', 'pt-BR'],
    ['', null],
  ])('reads the language %j as %j', (written, locale) => {
    const text = `property,guest,language,arrival,departure\nHarbour Loft,Ada,${written},2027-05-04,2027-05-09`;
    expect(read(text).lines[0]?.row).toMatchObject({ locale });
  });

  it('does not accept the name of a language', () => {
    const text = 'property,guest,language,arrival,departure\nHarbour Loft,Ada,German,2027-05-04,2027-05-09';
    expect(problemsOf(text)).toEqual([[2, ['locale: “German” is not a language tag like de or pt-BR.']]]);
  });

  it('lists all problems of each line', () => {
    const text = `property,guest,email,check-in,check-out,source
Harbour Loft,Ada,ada@example.com,2027-05-04,2027-05-09,direct
Nowhere,,ada@,2027-05-99,,carrier pigeon
Casa Azul,Ada,,2027-05-09,2027-05-09,
Harbour Loft,Lovelace, Ada,ada@example.com,2027-05-04,2027-05-09,direct`;
    expect(problemsOf(text)).toEqual([
      [2, []],
      [
        3,
        [
          'guest_name: The name is missing.',
          'guest_email: “ada@” is not an email address.',
          'checkin_date: “2027-05-99” could not be read as a date.',
          'checkout_date: The date is missing.',
          'source: “carrier pigeon” is not one of channel_a, channel_b, channel_c, direct.',
          'property: There is no property called “Nowhere”.',
        ],
      ],
      [
        4,
        [
          'checkout_date: The check-out date must be after the check-in date.',
          'property: 2 properties are called “Casa Azul”. Use the ID.',
        ],
      ],
      [5, expect.arrayContaining([expect.stringContaining('Put cells that contain commas in quotes')])],
    ]);
  });

  it.each([
    ['guest_name', '', 'The name is missing.'],
    ['guest_name', 'x'.repeat(121), 'Use at most 120 characters.'],
    ['guest_name', '123', 'The name must contain a letter.'],
    ['checkin_date', 'soon', '“soon” could not be read as a date.'],
    ['checkout_date', '', 'The date is missing.'],
    ['source', 'fax', '“fax” is not one of channel_a, channel_b, channel_c, direct.'],
    ['property', 'Nowhere', 'There is no property called “Nowhere”.'],
    ['booking_code', 'x'.repeat(201), 'Use at most 200 characters.'],
  ])('rejects a line whose %s is %j', (field, text, message) => {
    const sound = {
      guest_name: 'Ada',
      checkin_date: '2027-05-04',
      checkout_date: '2027-05-09',
      source: 'direct',
      property: 'Harbour Loft',
      booking_code: 'x'.repeat(200),
    };
    const lineOf = (cells: Record<string, string>) => read(`${Object.keys(cells)}\n${Object.values(cells)}`).lines[0];
    expect(lineOf(sound)).toMatchObject({ problems: [], row: { property_id: 'prop_1', guest_name: 'Ada' } });
    const line = lineOf({ ...sound, [field]: text });
    expect(line).toMatchObject({ problems: [{ field }], row: null });
    expect(String(line?.problems[0]?.message)).toBe(message);
  });

  it('finds a property by its id despite equal names, and accepts the maximum number of lines', () => {
    const text = `property,guest,arrival,departure\n${'prop_2,Ada,2027-05-04,2027-05-09\n'.repeat(MAX_IMPORT_ROWS)}`;
    const { lines, problem } = read(text);
    expect(problem).toBeNull();
    expect(lines.map(({ row }) => row?.property_id)).toEqual(Array(MAX_IMPORT_ROWS).fill('prop_2'));
  });

  it.each([
    ['', 'The file is empty.'],
    ['guest,arrival,departure', 'nor'],
    ['guest,arrival,departure,property', 'There are no lines below the header.'],
    ['arrival,property\n2027-01-01,x', 'the guest’s name (guest_name), the check-out date (checkout_date)'],
    [`property,guest,arrival,departure\n${'a,b,c,d\n'.repeat(MAX_IMPORT_ROWS + 1)}`, 'at most 300'],
    ['guest,arrival\n"a,b', 'never closed'],
  ])('of %j is rejected as a whole', (text, problem) => {
    const reading = read(text);
    expect(reading.lines).toEqual([]);
    if (text === '') expect(reading.columns).toEqual([]);
    if (text === 'guest,arrival,departure') expect(String(reading.problem)).toContain('the property (property)');
    else expect(String(reading.problem)).toContain(problem);
  });

  it('skips bookings that already exist or that the file repeats', () => {
    const row = (email: string, day: string, code = '') => `Harbour Loft,Ada,${email},${day},2027-06-01,${code}`;
    const text = [
      'property,guest,email,arrival,departure,code',
      row('ada@example.com', '2027-05-01'),
      row('ADA@example.com', '2027-05-01'),
      row('', '2027-05-02'),
      row('', '2027-05-03', 'HM1'),
      row('new@example.com', '2027-05-04', 'hm1'),
      row('new@example.com', '2027-05-05'),
      row('not an address', '2027-05-05'),
      row('new@example.com', '2027-05-04', 'HM2'),
      row('Ada@example.com', '2027-05-01'),
      row('other@example.com', '2027-05-20', 'HM9'),
    ].join('\n');
    const there = getBookingIdentityKeys({
      property_id: 'prop_1',
      guest_name: 'ADA',
      guest_email: null,
      checkin_date: '2027-05-02',
      checkout_date: '2027-06-01',
      external_id: null,
    });
    const repeated = [...findRepeatedImportLines(read(text).lines, [...there, 'prop_1 code hm9'])];
    expect(repeated.map(([line, why]) => [line, String(why)])).toEqual([
      [3, 'This is the same booking as in line 2.'],
      [4, 'This booking already exists.'],
      [6, 'This is the same booking as in line 5.'],
      [9, 'This is the same booking as in line 6.'],
      [10, 'This is the same booking as in line 2.'],
      [11, 'This booking already exists.'],
    ]);
  });
});
