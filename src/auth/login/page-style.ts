/** The style of the pages after a login, which is embedded in each page. */
import { BASE_STYLE, CARD_STYLE } from '../../core/html.js';

export const STYLE = `${BASE_STYLE}${CARD_STYLE}
:root { --refused: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --refused: #f0c36d; } }
main { max-width: 27rem; padding: 2.5rem 2rem 1.75rem; text-align: center; }
.done { --tone: var(--good); } .refused { --tone: var(--refused); } .failed { --tone: var(--bad); }
svg {
  width: 3.5rem; height: 3.5rem; padding: .75rem; border-radius: 50%; display: block; margin: 0 auto 1.25rem;
  color: var(--tone); background: color-mix(in srgb, var(--tone) 14%, transparent);
}
p { margin-top: .5rem; color: var(--soft); text-wrap: pretty; }
code {
  padding: .125rem .375rem; border-radius: .375rem; background: var(--well); color: var(--text);
}
footer {
  margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line);
  color: var(--soft); font-size: .875rem;
}
footer b { color: var(--text); }
@media (max-width: 24rem) { main { padding: 2rem 1.25rem 1.5rem; } }
`;
