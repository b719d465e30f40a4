/** Invented books and readers: series with their volumes, in several languages and scripts. Data only. */
import type { Language } from '../../contract/shared.js';

export interface Series {
  readonly name: string;
  readonly language: Language;
  /** What the series teaches, in English; the seeds find the subject for it. */
  readonly topic: string;
  readonly titles: readonly string[];
}

/** Sixty titles in twenty series. */
export const SERIES: readonly Series[] = [
  {
    name: 'Zahlenwelt',
    language: 'DE',
    topic: 'Mathematics',
    titles: ['Zahlenwelt 5', 'Zahlenwelt 6', 'Zahlenwelt 7 – Größen & Brüche'],
  },
  {
    name: 'Number Quest',
    language: 'EN',
    topic: 'Mathematics',
    titles: ['Number Quest 1', 'Number Quest 2', 'Number Quest 3: ½, ⅓ and π'],
  },
  {
    name: 'La ruta de los números',
    language: 'ES',
    topic: 'Mathematics',
    titles: ['La ruta de los números 1', 'La ruta de los números 2', '¿Cuánto es? Cuaderno de verano'],
  },
  {
    name: 'Le fil des mots',
    language: 'FR',
    topic: 'French',
    titles: ['Le fil des mots CM1', 'Le fil des mots CM2', 'Le fil des mots : l’œuvre intégrale'],
  },
  {
    name: 'Parole in viaggio',
    language: 'IT',
    topic: 'Italian',
    titles: ['Parole in viaggio 1', 'Parole in viaggio 2', 'Perché? Così! Grammatica'],
  },
  {
    name: 'Taalreis',
    language: 'NL',
    topic: 'Dutch',
    titles: ['Taalreis groep 7', 'Taalreis groep 8', 'Coördinatie & ’t kofschip'],
  },
  {
    name: 'Ponte de palavras',
    language: 'PT',
    topic: 'Portuguese',
    titles: ['Ponte de palavras 5', 'Ponte de palavras 6', 'Coração e razão: antologia'],
  },
  {
    name: 'Мир вокруг нас',
    language: 'RU',
    topic: 'Biology',
    titles: ['Мир вокруг нас 3', 'Мир вокруг нас 4', 'Съёмка и объём: рабочая тетрадь'],
  },
  {
    name: 'Lebensräume',
    language: 'DE',
    topic: 'Biology',
    titles: ['Lebensräume 7/8', 'Lebensräume 9/10', 'Lebensräume – Lösungen'],
  },
  {
    name: 'Past & Present',
    language: 'EN',
    topic: 'History',
    titles: ['Past & Present, Book A', 'Past & Present, Book B', 'Past & Present: Teacher’s Guide'],
  },
  {
    name: 'Il était une fois',
    language: 'FR',
    topic: 'History',
    titles: ['Il était une fois le Moyen Âge', 'Il était une fois la Révolution', 'Frise chronologique « Repères »'],
  },
  {
    name: 'Kräfte und Felder',
    language: 'DE',
    topic: 'Physics',
    titles: ['Kräfte und Felder 1', 'Kräfte und Felder 2', 'Kräfte und Felder: Versuche'],
  },
  {
    name: 'Chemistry Lab',
    language: 'EN',
    topic: 'Chemistry',
    titles: ['Chemistry Lab 9', 'Chemistry Lab 10', 'Chemistry Lab: H₂O and beyond'],
  },
  {
    name: 'Carte et boussole',
    language: 'FR',
    topic: 'Geography',
    titles: ['Carte et boussole 6e', 'Carte et boussole 5e', 'Atlas de poche'],
  },
  {
    name: 'Klangfarben',
    language: 'DE',
    topic: 'Music',
    titles: ['Klangfarben', 'Klangfarben: Lieder aus aller Welt', 'Klangfarben ♪ Hefte'],
  },
  {
    name: 'Colour & Form',
    language: 'EN',
    topic: 'Art',
    titles: ['Colour & Form 1', 'Colour & Form 2', 'Colour & Form "Studio"'],
  },
  {
    name: 'Ελληνικά μαζί',
    language: 'EN',
    topic: 'Greek',
    titles: ['Ελληνικά μαζί Α΄', 'Ελληνικά μαζί Β΄', 'Ελληνικά μαζί: τετράδιο'],
  },
  { name: '汉语之旅', language: 'EN', topic: 'Chinese', titles: ['汉语之旅 一', '汉语之旅 二', '汉语之旅:练习册'] },
  {
    name: 'ことばの森',
    language: 'EN',
    topic: 'Japanese',
    titles: ['ことばの森 1', 'ことばの森 2', 'ことばの森 ワークブック'],
  },
  {
    name: 'العربية بين يدينا',
    language: 'FR',
    topic: 'Arabic',
    titles: ['العربية بين يدينا ١', 'العربية بين يدينا ٢', 'العربية بين يدينا: كتاب المعلّم'],
  },
];

/** What teachers made themselves. */
export const READER_TITLES: readonly string[] = [
  'Arbeitsblätter Bruchrechnen',
  'Vocabulary, units 1–6',
  'Les Misérables : extraits choisis',
  'Fichas de repaso',
  'Schede di storia: il Risorgimento',
  'Werkbladen spelling',
  'Exercícios de leitura',
  'Диктанты, 4 класс',
  'Αρχαία Αθήνα – σημειώσεις',
  '漢字ドリル',
  'تمارين في الإملاء',
  'Periodic table, annotated',
  'Elternabend: Handzettel',
  'Lied der Woche',
  'Maps of the Hanseatic League',
  'Über “Faust”; Teil 1, Szene 2',
  'Lab safety (A4, 2 pages)',
  'Sudoku für Fortgeschrittene',
  '四字熟語',
];
