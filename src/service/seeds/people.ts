/** Names of invented people, by the language they are most likely to have chosen, in several scripts. Data only. */
import type { Language } from '../../contract/shared.js';

interface NameList {
  readonly language: Language;
  readonly first: readonly string[];
  readonly last: readonly string[];
}

export const NAME_LISTS: readonly NameList[] = [
  {
    language: 'DE',
    first: ['Jürgen', 'Anneliese', 'Björn', 'Käthe', 'Max', 'Sören', 'Ulrike', 'Zoë', 'Friedrich', 'Hannelore'],
    last: [
      'Müller',
      'Weiß',
      'Schäfer',
      'von der Höhe',
      'Köhler-Straßburg',
      'Groß',
      'Özdemir',
      'Bauer',
      'Jäger',
      'Fuchs',
    ],
  },
  {
    language: 'EN',
    first: ['Aoife', 'Oliver', 'Siân', 'Grace', 'Mary-Anne', 'Kwame', 'Priya', 'Jack', 'Chloë', 'D’Arcy'],
    last: [
      'O’Brien',
      'Smith',
      'MacGregor',
      'Okonkwo',
      'St. John',
      'Fitzgerald',
      'Patel',
      'Brontë',
      'Wood',
      'Lloyd-Jones',
    ],
  },
  {
    language: 'ES',
    first: ['José', 'María del Mar', 'Íñigo', 'Begoña', 'Ángel', 'Lucía', 'Núria', 'Raúl', 'Inés', 'Martín'],
    last: [
      'García Núñez',
      'Ibáñez',
      'López y Ruiz',
      'Muñoz',
      'Peña',
      'Güell',
      'Castaño',
      'Vázquez',
      'de la Cruz',
      'Ordóñez',
    ],
  },
  {
    language: 'FR',
    first: ['Élodie', 'François', 'Noël', 'Anaïs', 'Hélène', 'Jean-Luc', 'Zélie', 'Benoît', 'Maëlle', 'Cédric'],
    last: ['Lefèvre', 'd’Aubigné', 'Château', 'Nuñes-Petit', 'Gaël', 'L’Hôte', 'Dupré', 'Benoît', 'Cœur', 'Le Goff'],
  },
  {
    language: 'IT',
    first: ['Niccolò', 'Chiara', 'Giosuè', 'Noemi', 'Matteo', 'Lucrezia', 'Nicolò', 'Alessia', 'Cosimo', 'Bianca'],
    last: ['D’Angelo', 'Rossi', 'Cantù', 'Forlì', 'De Santis', 'Pellicanò', 'Marconi', 'Nardò', 'Lo Cascio', 'Galli'],
  },
  {
    language: 'NL',
    first: ['Daniël', 'Sterre', 'Joël', 'Femke', 'Rutger', 'Zoë', 'Thijs', 'Anouk', 'Cathérine', 'Jop'],
    last: [
      'van den Berg',
      '’t Hooft',
      'de Vries',
      'IJzerman',
      'Coördes',
      'Bakker',
      'op den Akker',
      'Smit',
      'in ’t Veld',
      'Mulder',
    ],
  },
  {
    language: 'PT',
    first: ['João', 'Conceição', 'Inês', 'Luís', 'Antónia', 'Simão', 'Lúcia', 'Gonçalo', 'Beatriz', 'Tomé'],
    last: ['Gonçalves', 'de Sá', 'Simões', 'Magalhães', 'Araújo', 'Brandão', 'Leitão', 'Paixão', 'Vidigal', 'Falcão'],
  },
  {
    language: 'RU',
    first: ['Ольга', 'Пётр', 'Наталья', 'Фёдор', 'Алёна', 'Юрий', 'Ксения', 'Игорь', 'Любовь', 'Артём'],
    last: ['Ковалёв', 'Щербак', 'Соловьёв', 'Юдин', 'Цой', 'Жук', 'Королёв', 'Абрамян', 'Крылач', 'Мельник'],
  },
  {
    language: 'EN',
    first: ['Γιώργος', 'Ελένη', 'Νίκος', 'Αφροδίτη', 'Σπύρος'],
    last: ['Παπαδόπουλος', 'Οικονόμου', 'Χατζηδάκης', 'Ιωάννου', 'Ψαράς'],
  },
  {
    language: 'FR',
    first: ['ليلى', 'يوسف', 'فاطمة الزهراء', 'عمر', 'نور'],
    last: ['بن علي', 'الحدّاد', 'خوري', 'المصري', 'عبد الرحمن'],
  },
  {
    language: 'EN',
    first: ['נועה', 'יונתן', 'תמר', 'איתי', 'שירה'],
    last: ['כהן', 'לוי', 'בן־דוד', 'מזרחי', 'פרץ'],
  },
  {
    language: 'DE',
    first: ['小明', '美玲', '子涵', '浩然', '欣怡'],
    last: ['王', '欧阳', '李', '张', '陈'],
  },
  {
    language: 'EN',
    first: ['さくら', '健太', '陽菜', 'ユウト', '美咲'],
    last: ['佐藤', '鈴木', '高橋', '渡邉', '五十嵐'],
  },
  {
    language: 'IT',
    first: ['서연', '민준', '지우', '하은', '도윤'],
    last: ['김', '이', '박', '남궁', '최'],
  },
  {
    language: 'PT',
    first: ['अनन्या', 'अर्जुन', 'दीपिका', 'रोहन', 'काव्या'],
    last: ['शर्मा', 'वर्मा', 'मिश्रा', 'पटेल', 'सिंह'],
  },
  {
    language: 'DE',
    first: ['Łukasz', 'Żaneta', 'Dvořák', 'Šárka', 'Đorđe', 'Ştefan', 'Çağla', 'İbrahim', 'Þóra', 'Nguyễn'],
    last: ['Wójcik', 'Říha', 'Đorđević', 'Țăranu', 'Işık', 'Guðmundsdóttir', 'Trần', 'Ćosić', 'Őry', 'Kļaviņš'],
  },
];
