/**
 * The types of `edu-cli/service` as one file: of the compiler's declarations for all of the service only what the
 * entry's own lead to. For declarations as this repository has them: named exports, one after the other.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /^import (?:type )?\{([^}]*)\} from '(\.[^']*)\.js';$/;
const DECLARED = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|const|function|class|enum) (\w+)/;

/** @typedef {{ imports: Map<string, string>, declared: Map<string, string>, others: string[] }} Declarations */

/** The statements of a file: each begins at the margin. @param {string} text @returns {string[]} */
function statementsOf(text) {
  /** @type {string[]} */
  const found = [];
  let isComment = false;
  for (const line of text.split('\n')) {
    const last = found.at(-1);
    // A comment belongs to what follows it.
    if (last !== undefined && (isComment || /^[\s})]/.test(line) || line === ''))
      found.splice(-1, 1, `${last}\n${line}`);
    else found.push(line);
    if (/^ ?\/?\*/.test(line)) isComment = true;
    if (/^[^\s/*]/.test(line)) isComment = false;
  }
  // Of several comments the first is the file's.
  return found.map((statement) => statement.replace(/^(\/\*(?:(?!\*\/)[\s\S])*\*\/\s*)+(?=\/\*)/, '').trim());
}

/** @param {string} file @returns {Declarations} */
function read(file) {
  /** @type {Declarations} */
  const read = { imports: new Map(), declared: new Map(), others: [] };
  for (const statement of statementsOf(readFileSync(file, 'utf8'))) {
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
 * @throws when two files declare the same name
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

  /** @param {string} file @param {string} statement what it names is taken along, before it */
  function takeAlong(file, statement) {
    const code = statement.replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [name] of code.matchAll(/\b[A-Za-z_]\w*\b/g)) take(file, name);
  }

  /** @param {string} file @param {string} name */
  function take(file, name) {
    const { imports, declared } = declarations(file);
    const from = imports.get(name);
    if (from !== undefined) return take(from, name);
    const statement = declared.get(name);
    if (statement === undefined || taken.get(name) === file) return;
    if (taken.has(name)) throw new Error(`${name} is declared in ${file} and in ${taken.get(name)}`);
    taken.set(name, file);
    takeAlong(file, statement);
    texts.push(file === entry ? statement : statement.replace(/^export (?=(declare |interface |type ))/m, ''));
  }

  const { declared, others } = declarations(entry);
  for (const statement of others) takeAlong(entry, statement);
  for (const name of declared.keys()) take(entry, name);
  return [...texts, ...others, ''].join('\n');
}
