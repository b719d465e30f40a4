/**
 * Writes the types of `edu-cli/service` as one file: the exports of the entry and the declarations that these refer to.
 * It only handles the syntax that this repository uses: declarations one after the other, named exports.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /^import (?:type )?\{([^}]*)\} from '(\.[^']*)\.js';$/;
const DECLARED = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|const|function|class|enum) (\w+)/;

/** @typedef {{ imports: Map<string, string>, declared: Map<string, string>, others: string[] }} Declarations */

/** Splits a file at the lines without indentation. @param {string} text @returns {string[]} */
function statementsOf(text) {
  /** @type {string[]} */
  const found = [];
  let isComment = false;
  for (const line of text.split('\n')) {
    const last = found.at(-1);
    // A comment belongs to the statement after it.
    if (last !== undefined && (isComment || /^[\s})]/.test(line) || line === ''))
      found.splice(-1, 1, `${last}\n${line}`);
    else found.push(line);
    if (/^ ?\/?\*/.test(line)) isComment = true;
    if (/^[^\s/*]/.test(line)) isComment = false;
  }
  // Before a statement with its own comment, another comment is the file header.
  return found.map((statement) => statement.replace(/^(\/\*(?:(?!\*\/)[\s\S])*\*\/\s*)+(?=\/\*)/, '').trim());
}

/** @param {string} file @returns {Declarations} */
function read(file) {
  /** @type {Declarations} */
  const read = { imports: new Map(), declared: new Map(), others: [] };
  const text = readFileSync(file, 'utf8').replace(/import\("(\.[^"]*)\.js"\)\.(\w+)/g, (_, from, name) => {
    read.imports.set(name, join(dirname(file), `${from}.d.ts`));
    return name;
  });
  for (const statement of statementsOf(text)) {
    const code = statement.replace(/^(\/\*[\s\S]*?\*\/\s*)*/, '');
    const [, names, from] = IMPORT.exec(code) ?? [];
    const [, name] = DECLARED.exec(code) ?? [];
    if (names !== undefined && from !== undefined) {
      for (const one of names.split(','))
        read.imports.set(one.replace(/\btype\b/, '').trim(), join(dirname(file), `${from}.d.ts`));
    } else if (name !== undefined) read.declared.set(name, `${read.declared.get(name) ?? ''}${statement}\n`);
    else if (code !== '' && code !== 'export {};') read.others.push(statement);
  }
  return read;
}

/**
 * @param {string} entry the entry's declarations, as the compiler wrote them
 * @returns {string} declarations that import nothing
 * @throws Error if two files declare the same name
 */
export function typesInOne(entry) {
  /** @type {Map<string, Declarations>} */
  const files = new Map();
  const declarations = (/** @type {string} */ file) => {
    const known = files.get(file) ?? read(file);
    files.set(file, known);
    return known;
  };
  /** @type {Map<string, string>} name → the file that declares it */
  const taken = new Map();
  /** @type {string[]} */
  const texts = [];

  /** Adds the declarations that a statement refers to. @param {string} file @param {string} statement */
  function addReferences(file, statement) {
    const code = statement.replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [name] of code.matchAll(/\b[A-Za-z_]\w*\b/g)) add(file, name);
  }

  /** @param {string} file @param {string} name */
  function add(file, name) {
    const { imports, declared } = declarations(file);
    const from = imports.get(name);
    if (from !== undefined) return add(from, name);
    const statement = declared.get(name);
    if (statement === undefined || taken.get(name) === file) return;
    if (taken.has(name)) throw new Error(`${name} is declared in ${file} and in ${taken.get(name)}`);
    taken.set(name, file);
    addReferences(file, statement);
    texts.push(file === entry ? statement : statement.replace(/^export (?=(declare |interface |type ))/m, ''));
  }

  const { declared, others } = declarations(entry);
  for (const statement of others) addReferences(entry, statement);
  for (const name of declared.keys()) add(entry, name);
  return [...texts, ...others, ''].join('\n');
}
