#!/usr/bin/env node
/**
 * An assistant for the pictures: plans class lists with `edu mcp` and shows what edu asks as a client shows it. With
 * `--no-questions` it is a client that cannot ask, so that a person gets a command line.
 */
import { createInterface } from 'node:readline/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const WANT = {
  users: [{ email: 'noor.azmi@s1.example.org', firstName: 'Noor', lastName: 'Azmi', school: 's1', roles: ['Teacher'] }],
  classes: [{ school: 's1', class: '7b', subject: 'Biology', users: ['noor.azmi@s1.example.org'] }],
};

const canAsk = !process.argv.includes('--no-questions');
const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
const transport = new StdioClientTransport({ command: 'edu', args: ['mcp', '--allow-apply'], env });
const client = new Client({ name: 'assistant', version: '1' }, { capabilities: canAsk ? { elicitation: {} } : {} });

/** The folder of pictures has another name each time. @param {unknown} text */
const print = (text) => process.stdout.write(`${String(text).replaceAll(process.env.HOME ?? '', '~')}\n`);

/** @type {(request: import('@modelcontextprotocol/client').ElicitRequest) => Promise<import('@modelcontextprotocol/client').ElicitResult>} */
const ask = async ({ params }) => {
  print(`\n${params.message}\n`);
  const [field] = 'requestedSchema' in params ? Object.values(params.requestedSchema.properties) : [];
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const hash = await terminal.question(`${field?.description}\n${field?.title}: `);
  terminal.close();
  return hash === '' ? { action: 'decline' } : { action: 'accept', content: { hash } };
};
if (canAsk) client.setRequestHandler('elicitation/create', ask);

/** @param {string} name @param {Record<string, unknown>} args */
async function call(name, args) {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return JSON.parse(first?.type === 'text' ? first.text : '');
}

await client.connect(transport);
const { hash, summary, text } = await call('plan', { want: WANT });
if (!canAsk) print(`\n${text}\n${summary}`);
const { applied, why, person_runs: line } = await call('apply', { hash });
print(applied ? '\nApplied.' : `\n${why}\n\n  ${line}`);
await client.close();
