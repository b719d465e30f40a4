import { expect, test } from 'vitest';
import { ColumnMap } from '../../../../src/core/table/columns.js';
import { suggestColumn } from '../../../../src/core/table/suggest-column.js';

const USERS = ['first-name', 'last-name', 'email', 'role', 'organization', 'organization-type', 'language'];
const LICENCES = ['name', 'maximum-activations', 'type', 'book', 'days', 'until', 'code', 'organization', 'count'];
const CLASSES = ['subject-id', 'school-id', 'name'];

test.each([
  // Google Workspace marks the columns that it requires.
  ['First Name [Required]', USERS, 'first-name'],
  ['Email Address [Required]', USERS, 'email'],
  ['Last Name*', USERS, 'last-name'],
  ['Colour (optional)', ['name', 'colour'], 'colour'],
  ['Schule', USERS, 'organization'],
  ['Schule', CLASSES, 'school-id'],
  ['Schule', ['name', 'country', 'city'], 'name'],
  ['E-Mail-Adresse', USERS, 'email'],
  ['E-Mail-Adresse', ['licence', 'user'], 'user'],
  ['Adresse électronique', USERS, 'email'],
  ['ADRESSE ELECTRONIQUE', USERS, 'email'],
  ['Nombre', USERS, 'first-name'],
  ['Cognome', USERS, 'last-name'],
  ['Achternaam', USERS, 'last-name'],
  ['Sobrenome', USERS, 'last-name'],
  ['Фамилия', USERS, 'last-name'],
  ['Klasse', CLASSES, 'name'],
  ['Klasse', ['class', 'user'], 'class'],
  ['Fach', CLASSES, 'subject-id'],
  ['Anzahl', LICENCES, 'count'],
  ['Anzahl', ['maximum-activations'], 'maximum-activations'],
  ['Gültig bis (Datum)', LICENCES, 'until'],
  ['ISBN-13', LICENCES, 'book'],
  ['Действует до', LICENCES, 'until'],
  // A wanted state has the names of the API.
  ['Vorname', ['firstName', 'lastName'], 'firstName'],
  ['Plätze', ['maximumActivations'], 'maximumActivations'],
  ['ISBN', ['name', 'books', 'until'], 'books'],
  // One letter is wrong, or two are swapped.
  ['Vornname', USERS, 'first-name'],
  ['Anzhal', LICENCES, 'count'],
  ['Notiz', LICENCES, undefined],
  ['colour', ['name', 'country', 'city'], undefined],
  ['', USERS, undefined],
])('%s', (header, columns, expected) => expect(suggestColumn(header, columns)).toBe(expected));

test('columns are suggested for the first of very many unknown headers only', () => {
  const map = new ColumnMap([{ name: 'email' }]);
  const problems = map.learn(Array.from({ length: 200 }, () => 'emial'));
  expect(problems[0]?.message).toBe('there is no column "emial". Add --map emial=email');
  expect(problems[199]?.message).toBe('there is no column "emial".');
});
