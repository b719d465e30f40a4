/** Problems of rows, reported together before a request. */
import { describe, expect, test } from 'vitest';
import { offline, problemsOf, summaryOf } from './on-the-bundled-service.js';

describe('input errors are all reported before anything is sent', () => {
  const create = ['licenses', 'create', '--from', '-', '--json'];

  test('invalid and missing values, keys, columns', async () => {
    const { edu, json } = offline();
    const before = (await json('licenses', 'list')).length;
    const rows = [
      'name,type,maximumActivations,days,book,code,colour',
      'A,Books,3,31,B1,abc,',
      'B,Boks,x,30,B1,ABC,',
      'C,Books,4,30,,abc,',
      ',Teacher,1,,,12E+05,',
    ];
    const refused = await edu(create, `${rows.join('\n')}\n`);
    expect(refused.code).toBe(2);
    expect(problemsOf(refused)).toEqual([
      ['line 1, column 7', expect.stringContaining('there is no column "colour"')],
      ['line 2, column 4 "days"', expect.stringContaining('must be 30, 90, 365')],
      ['line 3, column 2 "type"', expect.stringContaining('Did you mean Books?')],
      ['line 3, column 3 "maximumActivations"', 'must be a whole number, not "x"'],
      ['line 3, column 6 "code"', expect.stringContaining('lowercase letters and digits')],
      ['line 4', expect.stringContaining('book is missing')],
      ['line 5, column 6 "code"', expect.stringContaining('lowercase letters and digits')],
    ]);
    expect(await json('licenses', 'list')).toHaveLength(before);
  });

  test('a repeated key names both lines; equal rows without one are created, with a notice', async () => {
    const { edu } = offline();
    const head = 'name,type,maximum-activations,code\n';
    const twice = await edu(create, `${head}A,Teacher,1,abc\nB,Teacher,1,x\nC,Teacher,1,abc\n`);
    expect(problemsOf(twice)).toEqual([['line 4', 'has the same key as line 2: code "abc"']]);
    const same = await edu(create, `${head}A,Teacher,1,\nA,Teacher,1,\n`);
    expect(summaryOf(same)).toMatchObject({ created: 2 });
    expect(same.stderr).toContain('1 row equals an earlier row');
  });

  test('keys that a look-up treats as equal: Unicode forms, surrounding spaces, case of addresses', async () => {
    const { edu } = offline();
    const names = 'name\nCaf\u00e9\nCafe\u0301\n caf\u00e9\nCaf\u00e9 \n';
    expect(problemsOf(await edu(['publishers', 'create', '--from', '-', '--json'], names))).toEqual([
      ['line 3', expect.stringContaining('has the same key as line 2')],
      ['line 5', expect.stringContaining('has the same key as line 2')],
    ]);
    const users = 'user,firstName\nmia@press.example,A\nMia@Press.example,B\n';
    expect(problemsOf(await edu(['users', 'update', '--from', '-', '--json'], users))).toEqual([
      ['line 3', 'has the same key as line 2: user "Mia@Press.example"'],
    ]);
  });

  test('two rows that name one item in different ways, by ID and by code or address', async () => {
    const { edu, json } = offline();
    const [licence] = (await json('licenses', 'list')) as readonly { id: string; code: string }[];
    const licences = `licence,name,maximumActivations\n${licence?.id},A,\ncode:${licence?.code},,900\n`;
    const users = 'user,firstName,lastName\nviewer@example.org,A,\nu4,,B\n';
    const deleted = `licence\n${licence?.id}\ncode:${licence?.code}\n`;
    for (const [command, input] of [
      [['licenses', 'update'], licences],
      [['licenses', 'delete', '--yes'], deleted],
      [['users', 'update'], users],
      [['licenses', 'assign', '00000002'], 'user\nviewer@example.org\nu4\n'],
      [['subscriptions', 'assign', 'sub2'], 'user\nu4\nu4\n'],
      [['licenses', 'assign', '00000002'], 'class\nc1\nc1\n'],
    ] as const) {
      const refused = await edu([...command, '--from', '-', '--json'], input);
      expect([refused.code, problemsOf(refused)], command.join(' ')).toEqual([
        2,
        [['line 3', expect.stringMatching(/^has the same key as line 2: (?!.*undefined)/)]],
      ]);
    }
  });

  test('an update without any change, and an organization type without an organization', async () => {
    const { edu } = offline();
    const none = await edu(['schools', 'update', '--from', '-', '--json'], 'id,name,city\ns1,,\ns2,,\n');
    const idle = 'no row gives a change: all columns but those that name the item are blank';
    expect([none.code, problemsOf(none)]).toEqual([2, [['line 1', idle]]]);
    const notRead = await edu(
      ['schools', 'update', '--from', '-', '--json', '--ignore-unknown'],
      'id,city,seen\ns1,,x\n',
    );
    expect(problemsOf(notRead)).toEqual([['line 1', `${idle}, or not read (see --map): "seen"`]]);
    const bare = await edu(['schools', 'update', '--from', '-', '--json'], 's1\ns2\n');
    expect([bare.code, problemsOf(bare)]).toEqual([2, [['line 1', expect.stringContaining('no row gives a change')]]]);
    const some = await edu(['schools', 'update', '--from', '-', '--json'], 'id,name,city\ns1,,Delft\ns2,,\n');
    expect([some.code, JSON.parse(some.stdout)]).toEqual([0, expect.objectContaining({ updated: 1, unchanged: 1 })]);
    const licences = 'name,type,maximum-activations,organization-type\nA,Teacher,1,\nB,Teacher,1,School\n';
    const creates = await edu(create, licences);
    expect([creates.code, problemsOf(creates)]).toEqual([
      2,
      [['line 3', '--organization-type School needs --organization as well.']],
    ]);
    const named = await edu(
      [...create, '--organization', 's1', '--dry-run', '--query', '[].body.organization'],
      licences,
    );
    expect([named.code, JSON.parse(named.stdout)]).toEqual([0, Array(2).fill({ id: 's1', type: 'School' })]);
    const line = ['--type', 'Teacher', '--name', 'A', '--maximum-activations', '1', '--organization-type', 'School'];
    const counted = await edu(['licenses', 'create', '--count', '2', ...line]);
    expect([counted.code, counted.stderr]).toEqual([2, expect.stringContaining('needs --organization')]);
  });

  test('a column in two spellings, and a misspelt one', async () => {
    const { edu } = offline();
    const refused = await edu(create, 'name,Name,typ,maximumActivation\nA,A,Teacher,1\n');
    expect(problemsOf(refused).slice(0, 3)).toEqual([
      ['line 1, column 2', 'the columns "name" and "Name" both mean name'],
      ['line 1, column 3', expect.stringContaining('Did you mean type?')],
      ['line 1, column 4', expect.stringContaining('Add --map maximumActivation=maximum-activations')],
    ]);
  });

  test('a value in a column without a name', async () => {
    const { edu } = offline();
    const text = 'name,type,maximum-activations,\nA,Teacher,1,x\nB,Teacher,1,\n';
    expect(problemsOf(await edu(create, text))).toEqual([['line 2, column 4', 'is in a column without a name']]);
    expect((await edu([...create, '--ignore-unknown'], text)).code).toBe(0);
  });

  test('a value that every row lacks is reported once', async () => {
    const { edu } = offline();
    const refused = await edu(create, 'name,type\nA,Teacher\nB,Teacher\n');
    expect(problemsOf(refused)).toEqual([
      ['line 1', expect.stringContaining('maximum-activations is missing in every row')],
    ]);
  });

  test.each([
    ['a title with delimiters and an empty row', 'Lizenzen;;\n;;\nname;type;maximum-activations\nA;Teacher;3\n', 3],
    ['headers of a school system', 'Schüler 2026\nVorname;Nachname;E-Mail;Notiz\nA;B;a@b.example;x\n', 2],
  ])('a header below %s', async (_, text, line) => {
    const { edu } = offline();
    const path = text.includes('Vorname') ? ['users', 'create', '--role', 'Teacher'] : ['licenses', 'create'];
    expect(problemsOf(await edu([...path, '--from', '-', '--json'], text))).toEqual([
      [
        'line 1',
        `the header seems to be in line ${line}. Remove the lines before it, or add --header-row ${line} for a single file`,
      ],
    ]);
  });

  test('values that a spreadsheet has damaged', async () => {
    const { edu } = offline();
    const rows = 'ean,title,year,subject,type,contentLanguage\n9.78E+12,A,7,0001,Guide,DE\n1,#N/A,7,0001,Guide,DE\n';
    expect(problemsOf(await edu(['books', 'create', '--from', '-', '--json'], rows))).toEqual([
      ['line 2, column 1 "ean"', expect.stringContaining('a spreadsheet has cut the number')],
      ['line 3, column 2 "title"', expect.stringContaining('where a formula failed')],
    ]);
  });

  test('an item on the command line that no row writes to', async () => {
    const { edu } = offline();
    const line = ['licenses', 'delete', '00000006', '--from', '-', '--yes', '--dry-run', '--json'];
    const refused = await edu(line, 'id\n00000003\n');
    expect([refused.code, problemsOf(refused)]).toEqual([
      2,
      [['line 1', 'every row has its own licence, so 00000006 on the command line has no effect']],
    ]);
    expect((await edu(line, 'name,id\nA,00000003\nB,\n')).code).toBe(0);
  });

  test('references that do not exist', async () => {
    const { edu } = offline();
    const refused = await edu(
      ['licenses', 'assign', 'code:0012345', '--from', '-', '--json'],
      'email\nnobody@nowhere.example\n',
    );
    expect(problemsOf(refused)).toEqual([
      [
        'line 2, column 1 "email"',
        'no user has the ID, e-mail address or name "nobody@nowhere.example" (looked in your organization only)',
      ],
    ]);
    const flags = ['--type', 'Books', '--days', '365', '--maximum-activations', '1', '--json'];
    const rows = 'name,book\nA,9789999999999\nB,B1\nC,9789999999999\n';
    expect(problemsOf(await edu(['licenses', 'create', '--from', '-', ...flags], rows))).toEqual([
      ['lines 2, 4, column 2 "book"', expect.stringContaining('no book has the ID, EAN or title "9789999999999"')],
    ]);
    const line = ['licenses', 'create', ...flags, '--book', '9789999999999'];
    expect(problemsOf(await edu([...line, '--from', '-'], 'name\nA\n'))[0]?.[0]).toBe('line 2');
    const counted = await edu([...line, '--name', 'A', '--count', '2']);
    expect(counted).toMatchObject({ code: 2, stderr: expect.stringContaining('1 problem with this command.') });
    expect(problemsOf(counted)[0]?.[0]).toBe('--book');
  });

  test('--from with --count, --code with --count, an invalid shard', async () => {
    const { edu } = offline();
    const many = 'licenses create --count 2 --type Teacher --name A --maximum-activations 1'.split(' ');
    expect((await edu([...many, '--from', 'x.csv'])).code).toBe(2);
    expect((await edu([...many, '--code', 'abc'])).stderr).toContain('all 2 would have the same code');
    expect((await edu([...many, '--shard', '3/2'])).stderr).toContain('--shard must be a share such as 2/8');
    expect((await edu(['licenses', 'create', '--from', '/nowhere.csv'])).stderr).toContain('no such file');
  });
});

test('--template prints the columns with their descriptions', async () => {
  const { edu } = offline();
  for (const line of [['--from', '--template'], ['--template']]) {
    const { code, stdout, stderr } = await edu(['licenses', 'create', ...line]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name,maximum-activations,type,book,days,until,[a-z,-]+\n$/);
    expect(stderr).toMatch(/ {2}days +validity in days from activation \(30, 90, 365/);
  }
});

test.each([
  ['classes', 'assign', '--school'],
  ['licenses', 'delete', undefined],
])('--template of %s %s names only flags that exist: %s', async (resource, verb, flag) => {
  const { stderr } = await offline().edu([resource, verb, '--template']);
  expect(/such as (--[a-z-]+)/.exec(stderr)?.[1]).toBe(flag);
});

test('--template prints the header as tsv or for Excel, and refuses formats without cells', async () => {
  const { edu } = offline();
  const template = (...flags: readonly string[]) => edu(['licenses', 'cancel', '--template', ...flags]);
  const columns = async (...flags: readonly string[]) =>
    (await edu(['schools', 'create', '--template', ...flags])).stdout;
  expect(await columns('-o', 'tsv')).toBe('name\tcountry\tcity\n');
  expect(await columns('--excel')).toBe('\ufeffname,country,city\r\n');
  expect(await columns('--excel', '--language', 'DE')).toBe('\ufeffname;country;city\r\n');
  for (const flags of [['-o', 'yaml'], ['--json']]) {
    const { code, stdout, stderr } = await template(...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--template prints a header as csv, tsv or xlsx, not as ');
  }
});
