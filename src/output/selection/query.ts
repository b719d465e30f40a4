/** `--query`: JMESPath over a whole result (https://jmespath.site). The only file that knows the package; loaded when used. */
import { compile, search, TreeInterpreter } from '@jmespath-community/jmespath';
import { EduError, usageError } from '../../errors.js';
import { didYouMean } from '../../suggest.js';

type Json = Parameters<typeof search>[0];
type Node = ReturnType<typeof compile>;

/** The grammar knows literals without quotes, deprecated but common: [?type==`Books`]. */
const OPTIONS = { enable_legacy_literals: true };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const wrong = (expression: string, why: string, hint?: string): EduError =>
  usageError(`--query: "${expression}" is not a JMESPath expression: ${why}`, hint ?? 'https://jmespath.site');

/** Every function call in an expression. Not by recursion: an expression may nest deeper than the stack. */
function* calls(tree: unknown): Generator<Extract<Node, { type: 'Function' }>> {
  const nodes: unknown[] = [tree];
  while (nodes.length > 0) {
    const node = nodes.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('type' in node && node.type === 'Function') yield node as Extract<Node, { type: 'Function' }>;
    nodes.push(...Object.values(node).reverse());
  }
}

/**
 * Checks an expression as far as that is possible without data: syntax, names of functions, number of arguments.
 * @throws usage error
 */
export function checkQuery(expression: string): void {
  let tree: Node;
  try {
    tree = compile(expression, OPTIONS);
  } catch (error) {
    throw wrong(expression, messageOf(error));
  }
  const known = TreeInterpreter.runtime._functionTable;
  for (const { name, children } of calls(tree)) {
    const signature = Object.hasOwn(known, name) ? known[name]?._signature : undefined;
    if (signature === undefined) {
      throw wrong(expression, `there is no function ${name}().`, didYouMean(name, Object.keys(known)));
    }
    const least = signature.filter(({ optional }) => optional !== true).length;
    const most = signature.at(-1)?.variadic === true ? Number.POSITIVE_INFINITY : signature.length;
    if (children.length < least || children.length > most) {
      const wanted =
        least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`;
      throw wrong(
        expression,
        `${name}() takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${children.length}.`,
      );
    }
  }
}

/**
 * What the expression makes of the data; null where it finds nothing.
 * @throws EduError when a function does not take what it finds. It is no usage error: the request has been sent by then.
 */
export function runQuery(data: unknown, expression: string): unknown {
  try {
    // The package finds what every JavaScript object inherits, too; only JSON is a result.
    return JSON.parse(JSON.stringify(search(data as Json, expression, OPTIONS)) ?? 'null');
  } catch (error) {
    throw new EduError('nonsense', `--query: "${expression}" does not fit the result: ${messageOf(error)}`, {
      hint: 'Print the result with --json to see what it holds.',
      cause: error,
    });
  }
}
