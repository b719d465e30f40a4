/** One command for each way in which endpoints are called, and how to recognise its request. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a call may be repeated after a failure (`Repeat` in the contract). */
export type Class =
  /** A read, or a write with the same result when it is repeated. */
  | 'read'
  /** A GET of `edu api`, whose response is passed on unchanged. */
  | 'raw'
  | 'write'
  /** A write without a documented response. */
  | 'silent'
  /** A create whose natural key is unique in the service. */
  | 'unique'
  /** A create with a natural key that is not documented as unique. */
  | 'keyed'
  /** A create without a key. */
  | 'unkeyed';

export interface Case {
  readonly name: string;
  readonly class: Class;
  /**
   * The command line.
   * @param n makes its item differ from all others
   * @param spare a licence that may be deleted
   */
  readonly argv: (n: number, spare?: string) => readonly string[];
  /** The request that the fault affects; others, such as look-ups, pass. */
  readonly hits: (method: string, path: string) => boolean;
  readonly isList?: true;
}

const folder = mkdtempSync(join(process.env.EDU_TEST_SEEDS ?? tmpdir(), 'edu-faults-'));
export const PDF = join(folder, 'small.pdf');
writeFileSync(PDF, '%PDF-1.4 small');
export const FOLDER = folder;

const at =
  (method: string, path: RegExp) =>
  (actual: string, url: string): boolean =>
    actual === method && path.test(url.split('?')[0] ?? '');

const words = (line: string): string[] => line.split(' ');

export const CASES: readonly Case[] = [
  {
    name: 'a paged list',
    class: 'read',
    isList: true,
    argv: () => words('licenses list --type BOOKS --json'),
    hits: at('GET', /^\/v1\/licenses$/),
  },
  {
    name: 'a bare list',
    class: 'read',
    isList: true,
    argv: () => words('schools classes s1 --json'),
    hits: at('GET', /\/classes$/),
  },
  { name: 'a get', class: 'read', argv: () => words('schools get s1 --json'), hits: at('GET', /\/schools\/s1$/) },
  { name: 'a raw get', class: 'raw', argv: () => words('api /v1/schools/s1'), hits: at('GET', /\/schools\/s1$/) },
  {
    name: 'a replacing PUT',
    class: 'write',
    argv: () => words('schools update s2 --city Lyon --json'),
    hits: at('PUT', /\/schools\/s2$/),
  },
  {
    name: 'a DELETE',
    class: 'silent',
    argv: (_, spare = '') => ['licenses', 'delete', spare, '--yes', '--json'],
    hits: at('DELETE', /^\/v1\/licenses\//),
  },
  {
    name: 'licenses create',
    class: 'unique',
    argv: (n) => [
      ...words(`licenses create --type Teacher --maximum-activations 3 --code c${n} --json`),
      '--name',
      'Für 9b',
    ],
    hits: at('POST', /^\/v1\/licenses$/),
  },
  {
    name: 'schools create',
    class: 'unique',
    argv: (n) => [...words('schools create --country FR --city Nîmes --json'), '--name', `École n° ${n}`],
    hits: at('POST', /^\/v1\/schools$/),
  },
  {
    name: 'publishers create',
    class: 'unique',
    argv: (n) => [...words('publishers create --json'), '--name', `Éditions ${n}`],
    hits: at('POST', /^\/v1\/publishers$/),
  },
  {
    name: 'users create',
    class: 'keyed',
    argv: (n) => words(`users create --first-name Ana --last-name Díaz --email ana+${n}@example.org --json`),
    hits: at('POST', /^\/v1\/users$/),
  },
  {
    name: 'books create',
    class: 'keyed',
    argv: (n) =>
      words(
        `books create --ean 97800000${n} --title T --year 2026 --subject 0001 --type Coursebook --content-language EN --pdf ${PDF} --json`,
      ),
    hits: at('POST', /^\/v1\/books$/),
  },
  {
    name: 'classes create',
    class: 'unkeyed',
    argv: (n) => words(`classes create --subject-id 0001 --school-id s1 --name n${n} --json`),
    hits: at('POST', /^\/v1\/classes$/),
  },
  {
    name: 'subscriptions create',
    class: 'unkeyed',
    argv: () => words('subscriptions create --maximum-activations 4 --expiration-date 2031-01-31 --json'),
    hits: at('POST', /^\/v1\/subscriptions$/),
  },
  {
    name: 'end-users create',
    class: 'unkeyed',
    argv: (n) => words(`end-users create --first-name E --last-name U --email e${n}@example.org --json`),
    hits: at('POST', /^\/v1\/users\/enduser$/),
  },
  {
    name: 'readers create --pdf',
    class: 'unkeyed',
    argv: (n) => words(`readers create --title r${n} --subject 0001 --content-language EN --pdf ${PDF} --json`),
    hits: at('POST', /^\/v1\/readers$/),
  },
  {
    name: 'files upload',
    class: 'unkeyed',
    argv: () => words(`files upload ${PDF} --type Document --json`),
    hits: at('POST', /^\/v1\/files$/),
  },
  {
    name: 'a raw POST',
    class: 'unkeyed',
    argv: (n) => words(`api /v1/classes -f subjectId=0001 -f schoolId=s1 -f name=raw${n}`),
    hits: at('POST', /^\/v1\/classes$/),
  },
];
