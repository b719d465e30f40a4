/**
 * The types of books and readers, with their names in all languages. Book types are those that service-api-v1.md has
 * seen ("Book"), TeacherMaterial is the one of readers.
 */
import type { Names } from './subjects.js';

/** By the value of `type.name`. */
export const BOOK_TYPES: Readonly<Record<string, Names>> = {
  ReferenceBook: {
    DE: 'Nachschlagewerk',
    EN: 'Reference book',
    ES: 'Libro de consulta',
    FR: 'Ouvrage de référence',
    IT: 'Opera di consultazione',
    NL: 'Naslagwerk',
    PT: 'Livro de consulta',
    RU: 'Справочник',
  },
  Coursebook: {
    DE: 'Lehrbuch',
    EN: 'Coursebook',
    ES: 'Libro de texto',
    FR: 'Manuel',
    IT: 'Libro di testo',
    NL: 'Leerboek',
    PT: 'Manual escolar',
    RU: 'Учебник',
  },
  Answers: {
    DE: 'Lösungen',
    EN: 'Answers',
    ES: 'Soluciones',
    FR: 'Corrigés',
    IT: 'Soluzioni',
    NL: 'Antwoorden',
    PT: 'Soluções',
    RU: 'Ответы',
  },
  ClassroomMaterial: {
    DE: 'Unterrichtsmaterial',
    EN: 'Classroom material',
    ES: 'Material de aula',
    FR: 'Matériel de classe',
    IT: 'Materiale per la classe',
    NL: 'Lesmateriaal',
    PT: 'Material de aula',
    RU: 'Материалы для урока',
  },
  CourseActivityBook: {
    DE: 'Arbeitsbuch',
    EN: 'Course activity book',
    ES: 'Libro de ejercicios',
    FR: 'Cahier d’activités',
    IT: 'Libro delle attività',
    NL: 'Werkboek',
    PT: 'Caderno de atividades',
    RU: 'Рабочая тетрадь',
  },
  Guide: {
    DE: 'Leitfaden',
    EN: 'Guide',
    ES: 'Guía',
    FR: 'Guide',
    IT: 'Guida',
    NL: 'Gids',
    PT: 'Guia',
    RU: 'Руководство',
  },
  Magazine: {
    DE: 'Zeitschrift',
    EN: 'Magazine',
    ES: 'Revista',
    FR: 'Magazine',
    IT: 'Rivista',
    NL: 'Tijdschrift',
    PT: 'Revista',
    RU: 'Журнал',
  },
};

/** What every reader is. */
export const READER_TYPE = 'TeacherMaterial';

export const READER_TYPE_NAMES: Names = {
  DE: 'Lehrermaterial',
  EN: 'Teacher material',
  ES: 'Material del profesor',
  FR: 'Matériel de l’enseignant',
  IT: 'Materiale per l’insegnante',
  NL: 'Docentenmateriaal',
  PT: 'Material do professor',
  RU: 'Материалы для учителя',
};
