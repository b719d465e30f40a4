/**
 * The expected requests of a command line: the line, the responses of the service, and the requests, written by hand.
 */
import type { Answers, FileSent, Sent } from '../../support/scripted-service.js';

export interface WireCase {
  /** The words after `edu`. `FOLDER` is a folder with `lesson.pdf` and `cover.png`. */
  readonly argv: readonly string[];
  readonly answers?: Answers;
  /** All requests, in order. */
  readonly sent: readonly Sent[];
  /** Besides `EDU_BASE_URL` and `EDU_TOKEN`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The settings file of the run. */
  readonly settings?: unknown;
  /** The content of stdin. */
  readonly input?: string;
  /** Default: 0. */
  readonly code?: number;
}

/** Cases by a sentence that names what is special. */
export type WireCases = Readonly<Record<string, WireCase>>;

type Query = Readonly<Record<string, string>>;

/** A request without a body. */
export const sends = (line: string, query: Query = {}): Sent => ({ line, query });
/** A request with a JSON body. */
export const sendsJson = (line: string, json: unknown, query: Query = {}): Sent => ({ line, query, json });
/** A request with a multipart body. */
export const sendsForm = (
  line: string,
  form: Readonly<Record<string, string | FileSent>>,
  query: Query = {},
): Sent => ({
  line,
  query,
  form,
});

/** A 200 with a JSON body. */
export const says = (body: unknown) => ({ body });
/** A page of a list: the collection and the cursor of the next page. */
export const page = (name: string, items: readonly unknown[], nextCursor: string | null = null) =>
  says({ [name]: items, paging: { nextCursor } });

/** The content of the two files in `FOLDER`. */
export const PDF_BYTES = '%PDF-1.4 a lesson';
export const PNG_BYTES = '\x89PNG\r\n\x1a\n a cover';
export const LESSON: FileSent = { filename: 'lesson.pdf', type: 'application/pdf', bytes: PDF_BYTES };

/** An ID with characters that must be encoded in a path, and its encoded form. */
export const HOSTILE_ID = 'a/b?c#d%e f+ü';
export const HOSTILE_SENT = 'a%2Fb%3Fc%23d%25e%20f%2B%C3%BC';

/** The caller, who belongs to the distributor d1, as returned by GET account and GET users/:id. */
export const CALLER: Answers = {
  'GET /v1/account': says({
    id: 'u1',
    email: 'dora@dist.example',
    firstName: 'Dora',
    lastName: 'Dist',
    avatar: null,
    roles: [{ id: 'r1', name: 'Manager' }],
    permissions: [{ resource: 'Book', operation: 'Create' }],
  }),
  'GET /v1/users/u1': says({
    id: 'u1',
    email: 'dora@dist.example',
    firstName: 'Dora',
    lastName: 'Dist',
    language: 'NL',
    avatarUrl: null,
    organization: { id: 'd1', type: 'Distributor' },
    roles: [{ id: 'r1', name: 'Manager' }],
  }),
};
/** The two requests that find the caller's organization. */
export const FINDS_CALLER: readonly Sent[] = [sends('GET /v1/account'), sends('GET /v1/users/u1')];
