/** The output of `edu doctor`. */
import { shape, text } from '../../contract/vocabulary.js';

export const FINDING = shape('Finding', 'a check', {
  check: text('name of the check'),
  status: text('ok, warning, or problem'),
  found: text('result'),
  advice: text('next step', { nullable: true }),
});
