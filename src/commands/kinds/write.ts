/** Runs write commands: all writes are planned and confirmed before the first is sent. */
import type { Command, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { howToCheck } from '../../client/errors/how-to-check.js';
import type { Client } from '../../client/request/client.js';
import { isFilePart } from '../../client/request/multipart.js';
import { type Endpoint, type Field, object, text } from '../../contract/vocabulary.js';
import { EduError, isKind, type Problem } from '../../core/errors.js';
import { asId, getPath } from '../../core/json.js';
import { andMore } from '../../core/plural.js';
import { confirm, confirmDistinct, confirmedLine, confirmRisks, requireConsent } from './confirm.js';
import { checkForRequests, printRequests } from './dry-run.js';
import { printDone } from './print-result.js';
import { complete, printLine, resolved } from './prompt-missing.js';
import { changing, comparable, requireChange } from './request-body.js';
import { type Call, isDryRun, type Write, type WriteSpec } from './spec.js';

interface Outcome {
  readonly write: Write;
  readonly answer?: unknown;
  readonly error?: EduError;
}

type Sent = Call & Pick<Write, 'hasOwnKey' | 'retryHint' | 'what'>;

/** If a write is interrupted: how to check whether it was carried out, and what was carried out before. */
function riskOf({ endpoint, input, what, retryHint }: Sent, before: readonly Outcome[]): string {
  const repeat = isCreate(endpoint)
    ? `It may have been carried out. ${howToCheck(endpoint, input.body)}`
    : `It may have been carried out (${what}), and is safe to repeat.`;
  const done = before.filter(({ error }) => error === undefined).map(({ write }) => write.what);
  return `${retryHint ?? repeat}${done.length === 0 ? '' : ` Carried out before: ${andMore(done)}.`}`;
}

async function send(write: Write, before: readonly Outcome[], client: Client, context: Context): Promise<unknown> {
  const sendOne = (call: Sent): Promise<unknown> =>
    context.atRisk(riskOf(call, before), sendCall(call, client, context));
  if (write.upload === undefined) return sendOne(write);
  const id = fileId(await sendOne({ ...write.upload, what: write.what }));
  try {
    return await sendOne({ ...write, input: { ...write.input, body: { ...write.input.body, fileId: id } } });
  } catch (error) {
    if (!(error instanceof EduError)) throw error;
    // No list shows files, so that the ID would be lost.
    const stored = { message: `the file was uploaded before, and has the ID ${id}` };
    throw error.with({ details: [...error.details, stored] });
  }
}

function fileId(file: unknown): string {
  const id = asId(getPath(file, 'id'));
  if (id !== undefined) return id;
  const hint = 'Nothing else was sent. To upload the file once more, run the command again.';
  throw new EduError('invalid_response', 'the upload response contains no file ID', { isReason: true, hint });
}

function failure(outcomes: readonly Outcome[]): EduError | undefined {
  const failed = outcomes.filter((outcome) => outcome.error !== undefined);
  const first = failed[0]?.error;
  if (first === undefined) return undefined;
  if (outcomes.length === 1) return first;
  const details: Problem[] = failed.map(({ write, error }) => ({ where: write.what, message: error?.message ?? '' }));
  const done = outcomes.length - failed.length;
  return new EduError(
    done === 0 ? first.kind : 'partial',
    `${failed.length} of ${outcomes.length} failed${done === 0 ? '' : `, ${done} done`}.`,
    { hint: first.hint ?? (done === 0 ? undefined : 'Run it again only for the ones that failed.'), details },
  );
}

const notTried = (outcomes: readonly Outcome[]): EduError =>
  new EduError(outcomes.at(-1)?.error?.kind ?? 'unreachable', 'not sent, because the previous one failed');

const withRetryHint = ({ retryHint }: Write, error: EduError): EduError =>
  retryHint !== undefined && isKind(error, 'unreachable', 'unavailable', 'server_error', 'outcome_unknown')
    ? error.with({ hint: retryHint })
    : error;

/** Sends the writes one after the other. After a failed one, the others are still sent. */
async function sendAll(writes: readonly Write[], context: Context): Promise<readonly Outcome[]> {
  const client = await context.client();
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    if (write.needsPrevious && outcomes.at(-1)?.error !== undefined) {
      outcomes.push({ write, error: notTried(outcomes) });
      continue;
    }
    try {
      const answer = await send(write, outcomes, client, context);
      outcomes.push({ write, answer });
      await write.inspect?.(answer);
    } catch (error) {
      if (!(error instanceof EduError) || isKind(error, 'interrupted', 'terminated')) throw error;
      outcomes.push({ write, error: withRetryHint(write, error) });
      // Without a connection or a valid token the others would fail too.
      if (isKind(error, 'unauthenticated', 'unreachable', 'unavailable')) break;
    }
  }
  const untried = writes.slice(outcomes.length).map((write) => ({ write, error: notTried(outcomes) }));
  return [...outcomes, ...untried];
}

const isEmpty = (answer: unknown): boolean =>
  answer === undefined || answer === null || (typeof answer === 'object' && Object.keys(answer).length === 0);

const isCreate = ({ repeat }: Endpoint): boolean => repeat !== 'safe';

const idName = ({ returns }: Endpoint): string => returns?.id ?? 'id';

/** Printed instead of an empty response: the ID that was written to, or the key of the created item. */
function receiptOf({ endpoint, input }: Write): Readonly<Record<string, unknown>> {
  const { params = {}, body = {} } = input;
  const { key = '' } = endpoint;
  if (isCreate(endpoint)) return body[key] === undefined ? {} : { [key]: body[key] };
  const name = idName(endpoint);
  return endpoint.returns?.prints === 'user.id' ? { user: { id: body.userId } } : { [name]: params.id ?? body[name] };
}

const receiptShape = (receipt: unknown, { fields, id, prints }: Field): Field => ({
  ...object(
    Object.fromEntries(Object.keys(receipt ?? {}).map((name) => [name, fields?.[name] ?? text('what was written to')])),
    'done',
  ),
  id,
  prints,
});

/** What was carried out: `Created licence abc (ID 000123)`. */
function doneText(spec: WriteSpec, done: readonly Outcome[]): string {
  const items = done.map(({ write, answer }) => {
    const id = isCreate(write.endpoint) ? asId(getPath(answer, idName(write.endpoint))) : undefined;
    return id === undefined ? write.what : `${write.what} (ID ${id})`;
  });
  return `${spec.done} ${andMore(items)}`;
}

export async function write(command: Command, spec: WriteSpec, given: Values, context: Context): Promise<void> {
  // Without a login, answers would be lost.
  if (context.canAsk && !isDryRun(given)) await context.client();
  const values = await complete(command, context.path, given, context, spec.oneAtLeast ? changing(spec.flags) : []);
  try {
    await writeWith({ command, given, values }, spec, context);
  } finally {
    await printLine(command, given, values, context);
  }
}

interface Line {
  readonly command: Command;
  readonly given: Values;
  /** The complete values, with references as typed. */
  readonly values: Values;
}

async function writeWith({ command, given, values }: Line, spec: WriteSpec, context: Context): Promise<void> {
  const printer = await context.printer();
  if (isDryRun(values)) await checkForRequests(context);
  else {
    await printer.check(spec.shape, 'item');
    requireConsent(command, spec, given, context);
  }
  if (spec.oneAtLeast) requireChange(spec.flags ?? [], values);
  const writes = await spec.plan(await resolved(command, values, context), context);
  for (const { undecided } of writes) if (undecided !== undefined) throw undecided.error;
  const [chosen, ...others] = writes.map((one) => one.answers);
  // A flag is for all items.
  if (others.every((one) => comparable(one) === comparable(chosen))) Object.assign(values, chosen);
  for (const warning of writes.flatMap((one) => one.warnings ?? [])) await context.warn(warning);
  const risks = writes.flatMap(({ risk }) => (risk === undefined ? [] : [{ risk }]));
  await confirmRisks(risks, isDryRun(values), confirmedLine(command, given, context), context);
  await confirmDistinct(writes, isDryRun(values), context);
  if (isDryRun(values)) return printRequests(writes, context);
  if (writes.some((one) => one.endpoint.destroys)) await confirm(spec, writes, context);
  const label = writes.length === 1 ? 'Sending' : `Sending ${writes.length}`;
  const outcomes = await context.during(label, sendAll(writes, context));
  const error = failure(outcomes);
  const done = outcomes.filter((outcome) => outcome.error === undefined);
  const answers = done.map(({ write, answer }) => (isEmpty(answer) ? receiptOf(write) : answer));
  // Keeps the columns of a created item even without a response; `-o ids` reports the missing ID.
  const isShown = done.some(({ write, answer }) => !isEmpty(answer) || isCreate(write.endpoint));
  const shape = isShown ? spec.shape : receiptShape(answers[0], spec.shape);
  const print = (): Promise<void> =>
    writes.length === 1 ? printer.item(answers[0], shape) : printer.list(answers, { shape, noun: 'done' });
  for (const { write, answer } of done)
    if (isCreate(write.endpoint) && isEmpty(answer))
      await context.warn(`The service returned nothing: the ID of ${write.what} is not known.`);
  if (answers.length > 0) await printDone(doneText(spec, done), print, context, error);
  for (const { write, answer } of done) await context.say(write.said?.(answer) ?? `${spec.done} ${write.what}.`);
  if (error !== undefined) throw error;
}

/** @returns the response body @throws EduError */
async function sendCall(
  { endpoint, input, hasOwnKey: ownsKey }: Sent,
  client: Client,
  context: Context,
): Promise<unknown> {
  const { signal } = context;
  const files = Object.values(input.body ?? {}).filter(isFilePart);
  if (files.length === 0) return client.call(endpoint, input, { signal, ownsKey });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const names = files.map(({ filename }) => filename).join(', ');
  const bar = (await context.progress()).bar(`Uploading ${names}`, size, 'bytes');
  try {
    // The multipart boundaries make the body slightly larger than the files.
    return await client.call(endpoint, input, { signal, onSent: (bytes) => bar.at(Math.min(bytes, size)) });
  } finally {
    bar.done();
  }
}
