/** Common column names of other systems, for the hint that suggests `--map`. */
import { plainName } from './headers.js';

/** For each column, its names in exports of school systems in several European languages. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'first-name': ['givenName', 'forename', 'Vorname', 'Rufname', 'Vornamen', 'prénom', 'nombre', 'nome', 'voornaam'],
  'last-name': ['familyName', 'surname', 'Nachname', 'Familienname', 'nom', 'apellidos', 'cognome', 'achternaam'],
  email: ['E-Mail', 'Mail', 'E-Mail-Adresse', 'Mailadresse', 'emailAddress', 'courriel', 'correo'],
  user: [
    'E-Mail',
    'E-Mail-Adresse',
    'Mail',
    'Benutzer',
    'Person',
    'username',
    'pupil',
    'student',
    'Schüler',
    'Lehrkraft',
  ],
  class: ['Klasse', 'Lerngruppe', 'Kurs', 'course', 'section', 'classe', 'Klassenname'],
  school: ['Schule', 'Schulname', 'école', 'schoolName', 'org'],
  organization: ['Schule', 'Verlag', 'Einrichtung', 'Organisation', 'school', 'publisher'],
  subject: ['Fach', 'Schulfach', 'matière', 'subjectName'],
  role: ['Rolle', 'Funktion', 'rôle'],
  name: [
    'Bezeichnung',
    'Lizenzname',
    'Name der Lizenz',
    'Titel',
    'title',
    'Klasse',
    'Klassenname',
    'Schule',
    'Schulname',
  ],
  title: ['Titel', 'Buchtitel', 'titre', 'name'],
  code: ['Lizenzcode', 'Freischaltcode', 'licenseCode', 'key', 'Lizenzschlüssel'],
  licence: ['Lizenz', 'Lizenzcode', 'license code'],
  book: ['Buch', 'ISBN', 'EAN', 'Titel', 'Buchnummer', 'Artikelnummer'],
  ean: ['ISBN', 'ISBN-13', 'Artikelnummer'],
  days: ['Tage', 'Laufzeit', 'Laufzeit in Tagen', 'duration', 'Dauer'],
  until: [
    'Gültig bis',
    'Ablaufdatum',
    'Ende',
    'Enddatum',
    'Laufzeitende',
    'valid until',
    'expires',
    'expiration date',
    'end date',
  ],
  'maximum-activations': [
    'Anzahl',
    'Plätze',
    'Lizenzen',
    'Menge',
    'seats',
    'quantity',
    'Aktivierungen',
    'Stückzahl',
    'Schülerzahl',
  ],
  country: ['Land', 'pays', 'Staat'],
  city: ['Ort', 'Stadt', 'Wohnort', 'town', 'ville', 'Schulort'],
  language: ['Sprache', 'langue'],
  year: ['Jahr', 'Erscheinungsjahr', 'année'],
  level: ['Stufe', 'Klassenstufe', 'Jahrgang', 'Jahrgangsstufe', 'grade'],
};

/**
 * The column that a header probably means.
 * @param columns names of the command's columns
 */
export function columnFor(header: string, columns: readonly string[]): string | undefined {
  const wanted = plainName(header);
  return columns.find((name) => WORDS[name]?.some((word) => plainName(word) === wanted) === true);
}
