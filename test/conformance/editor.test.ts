/** The one-time address of the editor, valid for one visit within a minute ("Limits"). */
import { describe, expect, it } from 'vitest';
import type { Door } from './door.js';
import { EN, newBook, newReader } from './makers.js';
import { conformance } from './suite.js';

/** Follows the address as a browser does: without a token. */
const visit = async (door: Door, url: string): Promise<number> =>
  (await door.send({ method: 'GET', url, headers: {} })).status;

conformance('Editor', ({ publisher, door, ours }) => {
  describe.each(['book', 'reader'] as const)('of a %s', (kind) => {
    const address = async (): Promise<string> => {
      const { id } = kind === 'book' ? await newBook(publisher) : await newReader(publisher);
      const route = kind === 'book' ? 'GET /v1/books/{id}/editor' : 'GET /v1/readers/{id}/editor';
      return (await publisher.ok(route, { params: { id }, query: EN })).url;
    };

    it('[editor-no-access-token] contains a token of its own, never the caller’s access token', async () => {
      expect(await address()).not.toContain(door().token('publisher'));
    });

    ours('[editor-once] opens the editor once', async () => {
      const url = await address();
      expect(await visit(door(), url)).toBe(200);
      expect(await visit(door(), url)).toBeGreaterThanOrEqual(400);
    });

    ours('[editor-minute] opens the editor within 1 minute, and not later', async () => {
      const [early, late] = [await address(), await address()];
      door().advance?.(59_000);
      expect(await visit(door(), early)).toBe(200);
      door().advance?.(2_000);
      expect(await visit(door(), late)).toBeGreaterThanOrEqual(400);
    });
  });
});
