/** A plan with a step of most kinds, what it sends, and what it should have shown, independently of the program. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readPlan } from '../../src/plan/plan-file.js';
import { answerWith, type Door } from '../faults/faulty-door.js';
import { home, run, temporaryFolder } from './run.js';

export type Json = Record<string, unknown>;

export const sent: { readonly line: string; readonly body: Json }[] = [];

/** Takes writes without carrying them out, so that each plan meets the same service. */
export function record(door: Door): void {
  sent.length = 0;
  door.set({
    hits: (method, path) => method !== 'GET' || path.startsWith('/v1/classes/made'),
    deed: (exchange) => {
      const [path = ''] = exchange.path.split('?');
      const body = (exchange.body.length === 0 ? {} : JSON.parse(exchange.body.toString())) as Json;
      if (exchange.method !== 'GET') sent.push({ line: `${exchange.method} ${path}`, body });
      const id = `made${sent.length}`;
      const answer = path.endsWith('/assignLicense')
        ? { user: { id: body.userId }, activatedLicensesIds: [] }
        : { ...body, id, classId: id, className: body.name ?? '', usersInClass: [] };
      answerWith(exchange, 200, JSON.stringify(answer), { 'content-type': 'application/json' });
    },
  });
}

/** What the service has, read independently of the program. */
export async function readWorld(door: Door) {
  const list = async (path: string, key?: string): Promise<Json[]> => {
    const { json } = await door.ask('GET', path);
    return (key === undefined ? json : (json as Json)[key]) as Json[];
  };
  const byId = (items: readonly Json[], id = 'id') => new Map(items.map((one) => [String(one[id]), one]));
  const schools = await list('/v1/schools?limit=100', 'schools');
  const users: Json[] = [];
  const classes: Json[] = [];
  for (const { id } of schools) {
    users.push(...(await list(`/v1/users?organization=${id}&type=School&limit=500`, 'users')));
    const own = await list(`/v1/schools/${id}/classes`);
    classes.push(...own.map((one) => ({ ...one, school: id })));
  }
  const licences = [
    ...(await list('/v1/licenses?type=BOOKS&limit=100', 'licenses')),
    ...(await list('/v1/licenses?type=TEACHER&limit=100', 'licenses')),
  ];
  return {
    schools: byId(schools),
    users: byId(users),
    classes: byId(classes, 'classId'),
    licences: byId(licences),
    subjects: byId(await list('/v1/books/subjects?language=EN', 'subjects')),
    roles: byId(schools.flatMap(({ roles }) => roles as Json[])),
  };
}
type World = Awaited<ReturnType<typeof readWorld>>;

/** Texts that the printed line of a request must contain: the sign with the kind first, then its section. */
export function expected({ line, body }: (typeof sent)[number], world: World): readonly string[] {
  const [, verb = '', id = ''] = /^(\w+ \/v1\/[\w/]+?)(?:\/([^/]+))?$/.exec(line) ?? [];
  const title = (of: unknown): string => `${of} ${world.schools.get(String(of))?.name ?? ''}`.trim();
  const made = (one: unknown): string => String(one);
  const email = (one: unknown): string => made(world.users.get(String(one))?.email ?? '');
  const roles = ((body.roles ?? []) as string[]).map((one) => made(world.roles.get(one)?.name ?? one));
  const organization = (body.organization as Json | undefined)?.id;
  const changed = (item: Json | undefined, names: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(names).flatMap(([name, shown]) => (item?.[name] === shown ? [] : [shown]));
  if (line === 'POST /v1/users')
    return ['+ user', title(organization), made(body.email), made(body.firstName), made(body.lastName), ...roles];
  if (line === 'POST /v1/classes')
    return [
      '+ class',
      title(body.schoolId),
      made(body.name),
      made(world.subjects.get(String(body.subjectId))?.translatedName ?? body.subjectId),
    ];
  if (line === 'POST /v1/licenses')
    return [
      '+ licence',
      // Without an organization, it is for the caller's own.
      organization === undefined ? '' : title(organization),
      made(body.code),
      made(body.name),
      `maximumActivations ${body.maximumActivations}`,
      `type ${body.type}`,
    ];
  if (line.startsWith('PUT /v1/assignClass') || line.startsWith('PUT /v1/unAssignClass')) {
    const of = world.classes.get(String(body.classId));
    const sign = line.startsWith('PUT /v1/assign') ? '+ member' : '- member';
    return [sign, ...(of === undefined ? [] : [title(of.school), made(of.className)]), email(body.userId)];
  }
  if (line === 'PUT /v1/licenses/assignLicense')
    return ['+ holder', '', made(world.licences.get(String(body.licenseId))?.code ?? ''), email(body.userId)];
  if (line.startsWith('PUT /v1/classes/delete/')) {
    const of = world.classes.get(id);
    return ['- class', title(of?.school), made(of?.className)];
  }
  if (verb === 'PUT /v1/classes') {
    const of = world.classes.get(id);
    return ['~ class', title(of?.school), made(of?.className), ...changed(of, { className: made(body.name) })];
  }
  if (verb === 'DELETE /v1/licenses' || line.endsWith('/cancel')) {
    const of = world.licences.get(line.split('/')[3] ?? '');
    return ['- licence', '', made(of?.code), ...(line.endsWith('/cancel') ? ['cancelled'] : [])];
  }
  if (verb === 'PUT /v1/licenses') {
    const of = world.licences.get(id);
    return ['~ licence', '', made(of?.code), ...changed(of, { name: made(body.name) })];
  }
  if (verb === 'PUT /v1/users') {
    const of = world.users.get(id);
    const names = { firstName: made(body.firstName), lastName: made(body.lastName) };
    return [
      '~ user',
      title((of?.organization as Json | undefined)?.id),
      made(of?.email),
      ...changed(of, names),
      ...roles.filter((one) => !JSON.stringify(of?.roles).includes(one)),
    ];
  }
  if (verb === 'PUT /v1/schools')
    return ['~ school', '', ...changed(world.schools.get(id), { name: made(body.name), city: made(body.city) })];
  throw new Error(`no expectation for ${line}`);
}

/** The printed lines that announce a request, with their sections. */
export function announced(stderr: string): string[] {
  let section = '';
  const [tree = ''] = stderr.split(/ Plan [0-9a-f]{8}\n/);
  return tree.split('\n').flatMap((line) => {
    if (/^\S/.test(line)) section = line;
    return /^ {2}[+~-] \w/.test(line) ? [`${line}\n${section}`] : [];
  });
}

const WANT: Readonly<Record<string, string>> = {
  'users.csv':
    'email,firstName,lastName,organization,roles\nnoor@s1.example,Noor,Azmi,s1,Teacher\nuser.157.157@s1.example.org,Igor,Brandt,s1,Teacher\n',
  'classes.csv':
    'classId,class,school,subject,users\n,9z,s1,Biology,noor@s1.example;antonia.paixao.160@s1.example.org\nc6,AG Go,s1,,\n',
  'licenses.csv':
    'code,name,type,maximumActivations,organization,endUsers,remove\nforged1,New,Teacher,5,s1,,\nautumn,,,,,femke.coordes.155@s1.example.org,\n007,,,,,,true\n54cm74ec,,,,,,true\n',
};

export async function planned(door: Door) {
  const folder = temporaryFolder();
  const env = { ...door.env, ...home() };
  const want = join(folder, 'want');
  mkdirSync(want);
  for (const [name, text] of Object.entries(WANT)) writeFileSync(join(want, name), text);
  const file = join(folder, 'a.plan');
  const { stderr, code } = await run(['plan', want, '--out', file], { env });
  expect([3, 10], stderr).toContain(code);
  return { env, file, plan: readPlan(file) };
}
