/** Answers of tools: as JSON that marks data of the service, with errors as data, each request in the log. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Context } from '../../cli/context.js';
import { cleanText } from '../../core/clean-text.js';
import { type EduError, usageError } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { once } from '../../core/maps.js';
import { asEduError } from '../../output/error-report.js';
import { visibleJson } from '../../output/sanitize.js';
import { openLog } from './audit-log.js';
import type { ResultPage } from './result-pages.js';
import texts from './texts.json' with { type: 'json' };

/** An answer: facts of edu, then items from the service, which are JSON texts. */
export interface Answer {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly page?: ResultPage;
  /** The kind of its error, or another outcome for the log. */
  readonly outcome?: string;
}

function textOfAnswer({ facts, page }: Answer): string {
  if (page === undefined) return visibleJson(JSON.stringify({ about: texts.about, ...facts }));
  const { items, first, total, cursor } = page;
  const shown =
    cursor === undefined && first === 1
      ? {}
      : { shown: `items ${first} to ${first + items.length - 1} of ${total}`, next_cursor: cursor ?? null };
  const head = JSON.stringify({ about: texts.about, ...facts, items: total, ...shown }).slice(0, -1);
  return visibleJson(`${head},"data":[\n${items.join(',\n')}\n]}`);
}

export const factsOf = ({ kind, message, hint, details }: EduError) => ({ kind, message, hint, details });

const resultOf = (answer: Answer): CallToolResult => ({
  content: [{ type: 'text', text: textOfAnswer(answer) }],
  ...('error' in answer.facts ? { isError: true } : {}),
});

interface ToolFacts<S> {
  readonly name: keyof typeof texts.tools;
  readonly input: S;
  /** True if the service is not changed. */
  readonly isReading: boolean;
}

export type Answers = ReturnType<typeof createAnswers>;

export function createAnswers(server: McpServer, context: Context) {
  const { env, machine } = context;
  // Loads node:crypto, which a session without requests does not need.
  const session = once(() => machine.unique().slice(0, 8));

  /** Runs work and logs its outcome. @param asked what was asked for, as people read it */
  async function logged<T>(
    tool: string,
    asked: string,
    work: () => Promise<T>,
    outcomeOf: (made: T) => string = () => 'done',
  ): Promise<T> {
    const [time, start] = [machine.now(), performance.now()];
    // Nothing is done that cannot be logged.
    const log = openLog(env);
    let outcome = 'internal';
    try {
      const made = await work();
      outcome = outcomeOf(made);
      return made;
    } catch (error) {
      outcome = asEduError(error).kind;
      throw error;
    } finally {
      const milliseconds = Math.round(performance.now() - start);
      log({ time: new Date(time).toISOString(), session: session(), tool, asked, outcome, milliseconds });
    }
  }

  const failed = (error: unknown): Answer => {
    const known = asEduError(error);
    return { facts: { error: factsOf(known) }, outcome: known.kind };
  };

  const outcomeOf = (made: Answer | InputRequiredResult): string =>
    isInputRequiredResult(made) ? 'asked the person' : (made.outcome ?? 'done');

  return {
    /** Adds a tool, whose work may throw an `EduError`. */
    register<S extends StandardSchemaWithJSON>(
      { name, input, isReading }: ToolFacts<S>,
      work: (
        input: StandardSchemaWithJSON.InferOutput<S>,
        context: ServerContext,
      ) => Promise<Answer | InputRequiredResult>,
    ): void {
      const { '~standard': standard } = input;
      // The server would refuse invalid arguments itself, without a line in the log. Generic, because a callback's type
      // depends on its schema.
      const inputSchema: StandardSchemaWithJSON = { '~standard': { ...standard, validate: (value) => ({ value }) } };
      const config = {
        description: texts.tools[name],
        inputSchema,
        annotations: { readOnlyHint: isReading, destructiveHint: !isReading, openWorldHint: true },
      };
      server.registerTool(name, config, async (given, request) => {
        const checked = await standard.validate(given);
        const asked = cleanText(JSON.stringify(checked.issues === undefined ? checked.value : given));
        const answered = async () => {
          const details = checked.issues?.map(({ path = [], message }) => ({ where: path.join('.'), message }));
          if (checked.issues !== undefined)
            return failed(usageError(`The arguments of the tool ${name} are not valid.`, undefined, details));
          // Checked values are without unknown arguments, which the log must not keep.
          const other = Object.keys({ ...(given as object) }).find((key) => !Object.hasOwn(Object(checked.value), key));
          if (other !== undefined)
            return failed(usageError(`The tool ${name} has no argument ${JSON.stringify(other)}.`));
          return work(checked.value as StandardSchemaWithJSON.InferOutput<S>, request).catch(failed);
        };
        const made = await logged(name, asked, answered, outcomeOf);
        return isInputRequiredResult(made) ? made : resultOf(made);
      });
    },
    /** Runs the work of a resource or prompt. */
    logged,
    /** True if a person can be asked through the assistant. */
    canAsk: ({ mcpReq: { envelope } }: ServerContext): boolean => {
      const declared: JsonObject = { ...envelope };
      const capabilities = declared[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
      const asking = isObject(capabilities) ? capabilities.elicitation : undefined;
      // Without a mode, forms are meant.
      return isObject(asking) && (asking.form !== undefined || asking.url === undefined);
    },
  };
}
