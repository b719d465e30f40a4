/** What `edu doctor` prints. */
import { shape, text } from '../../contract/vocabulary.js';

export const FINDING = shape('Finding', 'one thing that was looked at', {
  check: text('what was looked at'),
  status: text('ok, warning, or problem'),
  found: text('what was found'),
  advice: text('what to do', { nullable: true }),
});
