/** Rosters of other systems, from the check to the plan. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csvFiles, DELTA, manifest, type RosterTables, SMALL_11, user11 } from '../support/roster-files.js';
import { home, run, temporaryFolder } from '../support/run.js';

const BULK = { orgs: 'bulk', users: 'bulk', classes: 'bulk', enrollments: 'bulk' };
const SCHOOL = [
  ['sourcedId', 'name', 'type'],
  ['g1', 'Gymnasium am Kirchplatz', 'school'],
];
const HEAD = (SMALL_11.users ?? [])[0] ?? [];
const ENROLLMENT = ['sourcedId', 'status', 'classSourcedId', 'userSourcedId', 'role'];
/** A person with a known address, a person with the name of a user but for its accents, and a new person. */
const AUTUMN: RosterTables = {
  manifest: manifest('1.1', BULK),
  orgs: SCHOOL,
  users: [
    HEAD,
    user11('t1', 'g1', 'teacher', 'Antónia', 'Paixão', 'antonia.paixao.160@s1.example.org'),
    user11('p1', 'g1', 'student', 'Femke', 'Coordes'),
    user11('p2', 'g1', 'student', 'Neu', 'Ling', 'neu@s1.example'),
  ],
  classes: [
    ['sourcedId', 'title', 'schoolSourcedId'],
    ['c1', '5a', 'g1'],
    ['c2', '9z', 'g1'],
  ],
  enrollments: [
    ENROLLMENT,
    ['e1', '', 'c1', 't1', 'teacher'],
    ['e2', '', 'c2', 'p1', 'student'],
    ['e3', '', 'c2', 'p2', 'student'],
  ],
};

function world() {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const folder = temporaryFolder();
  return {
    edu: (...argv: string[]) => run(argv, { env }),
    path: (name: string): string => join(folder, name),
    write(name: string, tables: RosterTables): string {
      const path = join(folder, name);
      mkdirSync(path);
      for (const [file, content] of Object.entries(csvFiles(tables))) writeFileSync(join(path, file), content);
      return path;
    },
  };
}

describe('edu roster', () => {
  test('plan --skip-invalid leaves out rows with problems, and --failed writes them without other columns', async () => {
    const { edu, write, path } = world();
    const mia = user11('p3', 'g1', 'student', 'Mia', 'Berg', 'mia@s1.example');
    mia[1] = 'deleted';
    const enrollments = [
      ...(AUTUMN.enrollments ?? []),
      ['e4', '', 'c2', 'p3', 'student'],
      ['e5', '', 'c8', 't1', 'teacher'],
    ];
    const roster = write('a', { ...AUTUMN, users: [...(AUTUMN.users ?? []), mia], enrollments });
    const rules = ['--default-subject', 'Mathematics', '--leavers', 'keep'];
    const failed = path('to-correct');
    const refused = await edu('roster', 'plan', roster, ...rules);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('edu roster plan --skip-invalid leaves these rows out.'),
    ]);
    const { code, stdout, stderr } = await edu(
      ...['roster', 'plan', roster, ...rules, '--skip-invalid', '--failed', failed, '--out', path('a.plan')],
    );
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('Left out: users.csv line 5: status must be active, tobedeleted, inactive or blank');
    expect(stderr).toContain('Left out: enrollments.csv line 6: classSourcedId c8 is not in classes.csv.');
    expect(stdout).toContain('+ member  9z  neu@s1.example');
    expect(stdout).not.toContain('mia@');
    const read = (name: string): readonly string[] => readFileSync(join(failed, name), 'utf8').trimEnd().split('\n');
    expect(read('users.csv')).toEqual([
      'sourcedId,status,enabledUser,orgSourcedIds,role,username,givenName,familyName,identifier,email,edu_error',
      expect.stringMatching(/^p3,deleted,true,g1,student,mia,Mia,Berg,nr-p3,mia@s1\.example,"?status must be/),
    ]);
    expect(read('enrollments.csv')).toEqual([
      'sourcedId,status,classSourcedId,userSourcedId,edu_error',
      'e4,,c2,p3,its person is left out: users.csv line 5',
      'e5,,c8,t1,classSourcedId c8 is not in classes.csv',
    ]);
    expect(read('classes.csv')).toHaveLength(1);
  });

  test('--failed has only the failed rows of a JSON array that is one line', async () => {
    const { edu, path } = world();
    const [good, bad] = ['mia@s1.example', 'bad'].map((email) => ({ school: 's1', class: '5a', email }));
    const rows = [good, bad].map((row, at) => ({ ...row, firstName: `A${at}`, lastName: 'B' }));
    const other = { ...rows[0], firstName: '', lastName: 'C' };
    writeFileSync(path('list.json'), JSON.stringify([...rows, other]));
    const flags = ['--leavers', 'keep', '--skip-invalid', '--failed', path('bad.json'), '--out', path('a.plan')];
    const { code, stderr } = await edu('roster', 'plan', path('list.json'), ...flags);
    expect([code, stderr]).toEqual([3, expect.stringContaining('list.json line 1, row 2: email must be')]);
    const [first, second, third] = JSON.parse(readFileSync(path('bad.json'), 'utf8'));
    expect(first.edu_error).toMatch(/row 3 gives mia@s1.example another name, C$/);
    expect(second).toEqual({ ...rows[1], edu_error: 'email must be an e-mail address, not "bad"' });
    expect(third.edu_error).toMatch(/^has another name than .* row 1: mia@s1.example is A0 B there$/);
  });

  test('check --failed writes rows of a list in its own form, or as a workbook', async () => {
    const { edu, path } = world();
    const list = path('list.csv');
    const rows = [
      'Klasse;Vorname;Nachname;E-Mail;Passwort',
      '5a;Zoë;Brandt;#NV;geheim',
      '5a;Mia;Öz;mia@s1.example;x',
      '',
    ];
    writeFileSync(list, Buffer.from(rows.join('\r\n'), 'latin1'));
    const flags = ['--school', 's1', '--map', 'E-Mail=email', '--encoding', 'windows-1252'];
    const refused = await edu('roster', 'check', list, ...flags, '--failed', path('bad.csv'));
    expect(refused.code).toBe(2);
    expect(refused.stderr.match(/list\.csv/g)).toHaveLength(2);
    expect(readFileSync(path('bad.csv'), 'latin1')).toBe(
      'Klasse;Vorname;Nachname;E-Mail;edu_error\n5a;Zoë;Brandt;#NV;is #NV, which a spreadsheet writes where a formula failed\n',
    );
    writeFileSync(path('bad.csv'), readFileSync(path('bad.csv'), 'latin1').replace('#NV', 'z@s1.example'), 'latin1');
    const mended = await edu('roster', 'check', path('bad.csv'), ...flags, '--json');
    expect(JSON.parse(mended.stdout)).toMatchObject({ schools: 1, people: 1, memberships: 1 });
    await edu('roster', 'check', list, ...flags, '--failed', path('bad.xlsx'));
    const workbook = await edu('roster', 'check', path('bad.xlsx'), ...flags.slice(0, 4));
    expect(workbook.stderr).toContain('bad.xlsx D2 "E-Mail": is #NV');
  });

  test('check finds what the service would refuse, and counts equal problems', async () => {
    const { edu, write } = world();
    const users = [
      ...(AUTUMN.users ?? []),
      user11('p3', 'g1', 'student', 'Mia', 'Berg', 'mia at s1.example'),
      user11('p4', 'g1', 'student', 'x'.repeat(60), 'Berg', 'long@s1.example'),
    ];
    const enrollments = [
      ...(AUTUMN.enrollments ?? []),
      ['e4', '', 'c1', 'p9', 'student'],
      ['e5', '', 'c2', 'p9', 'student'],
    ];
    const { code, stderr } = await edu('roster', 'check', write('a', { ...AUTUMN, users, enrollments }));
    expect(code).toBe(2);
    expect(stderr).toContain('3 problems');
    expect(stderr).toContain('users.csv line 5: email must be an e-mail address, not "mia at s1.example"');
    expect(stderr).toContain('users.csv line 6: firstName must have at most 50 characters, not 60');
    expect(stderr).toContain('enrollments.csv line 5 and 1 more: userSourcedId p9 is not in users.csv');
  });

  test('refuses flags that the format of the roster gives no use for', async () => {
    const { edu, write } = world();
    const list = join(write('b', AUTUMN), 'list.csv');
    for (const [school, ...expected] of [
      ['', 5, '--school: no school has the ID or name "Nosuch"'],
      ['A', 2, 'list.csv: names a school in each row, so --school has no effect'],
    ] as const) {
      writeFileSync(list, `school,class,first-name,last-name\n${school},5a,Mia,Brandt\n`);
      for (const verb of ['plan', 'match']) {
        const { code, stderr } = await edu('roster', verb, list, '--school', 'Nosuch');
        expect([code, stderr]).toEqual([expected[0], expect.stringContaining(expected[1])]);
      }
    }
    const dated = await edu('roster', 'check', list, '--on', '2026-10-01');
    expect([dated.code, dated.stderr]).toEqual([2, expect.stringContaining('is a plain list, which has no dates')]);
    const want = join(write('c', AUTUMN), 'want');
    mkdirSync(want);
    writeFileSync(join(want, 'users.csv'), 'email\na@s1.example\n');
    const wanted = await edu('roster', 'plan', want, '--leavers', 'keep');
    expect([wanted.code, wanted.stderr]).toEqual([2, expect.stringContaining('--leavers is for rosters')]);
  });

  test('match writes the map, proposes people of the same name without accents, and keeps existing rows', async () => {
    const { edu, write } = world();
    const path = write('a', AUTUMN);
    const matched = await edu('roster', 'match', path, '--json');
    expect(matched.code, matched.stderr).toBe(0);
    expect(JSON.parse(matched.stdout)).toMatchObject({
      schools: '1 of 1',
      people: '1 of 3',
      classes: '1 of 2',
      proposals: 1,
    });
    expect(matched.stderr).toContain('perhaps Femke Coordes (users.csv line 3) is femke.coordes.155@s1.example.org');
    const map = join(path, 'roster-map.csv');
    const lines = [
      'kind,sourcedId,id,key,ignore',
      'class,c1,c1,5a,',
      'school,g1,s1,Gymnasium am Kirchplatz,',
      'user,p1,,,',
      'user,t1,0000000160,antonia.paixao.160@s1.example.org,',
    ];
    expect(readFileSync(map, 'utf8')).toBe(`${lines.join('\n')}\n`);
    const others = lines.filter((line) => !line.startsWith('user,p1'));
    writeFileSync(map, `${others.join('\n')}\nuser,p1,0000000155,femke,\nuser,p2,,,true\n`);
    expect(JSON.parse((await edu('roster', 'match', path, '--json')).stdout)).toMatchObject({ people: '3 of 3' });
    expect(readFileSync(map, 'utf8')).toContain('user,p2,,,true\n');
  });

  test('plan brings users and classes in line with the roster, with --leavers keep', async () => {
    const { edu, write, path } = world();
    const roster = write('a', AUTUMN);
    await edu('roster', 'match', roster);
    const rules = ['--role-map', 'teacher=Teacher,student=', '--default-subject', 'Mathematics', '--leavers', 'keep'];
    const planned = await edu('roster', 'plan', roster, ...rules, '--out', path('a.plan'));
    expect(planned.stdout).toMatch(
      /^s1 Gymnasium am Kirchplatz\n {2}\+ user {4}neu@s1\.example .*\n {2}\+ class {3}9z {3}Mathematics\n {2}\+ member {2}9z {2}neu@s1\.example\n3 to add, 1 e-mail\. Plan [0-9a-f]{8}\n$/,
    );
    expect(planned.code).toBe(10);
    expect(planned.stderr).toContain('Left out: a person without an e-mail address: users.csv line 3.');
    expect(existsSync(path('a.plan'))).toBe(true);
    expect(readFileSync(path('a.plan'), 'utf8')).not.toContain('secret');
    const addressed = await edu('roster', 'plan', roster, ...rules, '--email', '{username}@s1.example');
    expect(addressed.stdout).toContain('+ user    femke@s1.example');
    const mistyped = await edu('roster', 'plan', roster, ...rules, '--email', '{user}@s1.example');
    expect([mistyped.code, mistyped.stdout]).toEqual([2, '']);
    expect(mistyped.stderr).toContain('--email has an unknown placeholder {user}; use {username}');
  });

  test('plan refuses a roster whose IDs and addresses have all changed, and warns of single ones', async () => {
    const { edu, write, path } = world();
    const people = [
      user11('t1', 'g1', 'teacher', 'Antonia', 'Paixão', 'antonia@new.example'),
      user11('p1', 'g1', 'student', 'Femke', 'Coordes', 'femke@new.example'),
      user11('p2', 'g1', 'student', 'Neu', 'Ling', 'neu@s1.example'),
    ];
    const roster = write('a', { ...AUTUMN, users: [HEAD, ...people] });
    const plan = ['roster', 'plan', roster, '--default-subject', 'Mathematics', '--leavers', 'keep'];
    const refused = await edu(...plan);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('2 of 3 people would get a second account');
    expect(refused.stderr).toContain(
      'femke@new.example: may be a second account of femke.coordes.155@s1.example.org (0000000155)',
    );
    const map = join(roster, 'roster-map.csv');
    writeFileSync(map, 'kind,sourcedId,id,key,ignore\nuser,t1,0000000160,,\n');
    const warned = await edu(...plan);
    expect([warned.code, warned.stderr]).toEqual([
      3,
      expect.stringMatching(/femke@new.example may be a second account of .*remove their rows from roster-map.csv/),
    ]);
    writeFileSync(map, `${readFileSync(map, 'utf8')}user,old,0000000155,,true\n`);
    expect((await edu(...plan)).stderr).not.toContain('second account');
    writeFileSync(map, 'kind,sourcedId,id,key,ignore\nclass,c1,deleted,5a,\n');
    const stale = /the ID deleted\n.*remove rows of items that no longer exist from roster-map.csv/;
    expect(await edu(...plan)).toMatchObject({ code: 2, stderr: expect.stringMatching(stale) });
    writeFileSync(path('users.csv'), 'email,firstName,lastName,organization\nf@new.example,Femke,Coördes,s1\n');
    const wanted = await edu('plan', path('users.csv'));
    expect([wanted.code, wanted.stderr]).toEqual([10, expect.stringContaining('If so, give the ID in the column id.')]);
  });

  test('plan names a class that the roster does not contain, although people of the roster are in it', async () => {
    const { edu, path } = world();
    const { stdout } = await edu('classes', 'get', '5a', '--school', 's1', '--query', 'usersInClass[0]');
    const email = (await edu('users', 'get', stdout.trim(), '--query', 'email')).stdout.trim();
    const header = 'school,class,subject,first-name,last-name,email';
    writeFileSync(path('list.csv'), `${header}\ns1,new,Mathematics,A,B,${email}\n`);
    const { code, stderr } = await edu('roster', 'plan', path('list.csv'), '--allow-removals', '100%');
    expect([code, stderr]).toEqual([
      10,
      expect.stringMatching(/is not in the roster .* class,\w+,c\d+ in roster-map\.csv/),
    ]);
  });

  test('plan of a delta changes only what it contains, by the map', async () => {
    const { edu, write } = world();
    const bulk = write('a', AUTUMN);
    await edu('roster', 'match', bulk);
    const leaver = user11('x', 'g1', 'student', 'Nobody', 'Known', 'nobody@s1.example');
    leaver[1] = 'tobedeleted';
    const enrollments = [ENROLLMENT, ['e1', 'tobedeleted', 'c1', 't1', 'teacher']];
    const delta = write('b', { manifest: manifest('1.1', DELTA), users: [HEAD, leaver], enrollments });
    const planned = await edu('roster', 'plan', delta, '--roster-map', join(bulk, 'roster-map.csv'), '-o', 'ndjson');
    const steps = planned.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    expect(
      steps.map(({ verb, resource }) => [verb, resource]),
      planned.stderr,
    ).toEqual([['unassign', 'members']]);
  });

  test('plan reads a directory of wanted state, too', async () => {
    const { edu, path } = world();
    await edu('export', '--as-plan', '--to', path('want'));
    expect(await edu('roster', 'plan', path('want'))).toMatchObject({ code: 0, stderr: '' });
    await edu('export', '--to', path('all'));
    expect((await edu('roster', 'plan', path('all'))).stderr).toMatch(
      /^Warning: not managed by a plan: .*types\.ndjson$/m,
    );
  });

  test('apply creates a class with the name that a renamed one leaves free', async () => {
    const { edu, path } = world();
    writeFileSync(path('classes.csv'), 'id,school,name,subject\n,s1,5a,0021\nc1,s1,9z,\n');
    const planned = await edu('plan', path('classes.csv'), '--out', path('a.plan'), '--json');
    const { hash } = JSON.parse(planned.stdout) as { readonly hash: string };
    expect((await edu('apply', path('a.plan'), '--confirm', hash)).code).toBe(0);
    const { stdout } = await edu('classes', 'list', '--school', 's1', '--fields', 'classId,className', '-o', 'csv');
    expect(stdout).toMatch(/\nc1,9z\n(?:.*\n)*.*,5a\n/);
  });
});
