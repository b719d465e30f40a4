/** Summarizes the outcomes of planted faults as Markdown. */

/** @typedef {import('./run.mjs').Fault} Fault */

const isKilled = (/** @type {Fault} */ { outcome }) => outcome === 'killed' || outcome === 'timeout';
const code = (/** @type {string} */ text) => `\`${text.replaceAll(/\s+/g, ' ').slice(0, 60).replaceAll('|', '\\|')}\``;

/**
 * @param {{ seed: string, sample: string, faults: readonly Fault[] }} report
 * @param {readonly string[]} areas
 * @returns {{ text: string, scores: number[] }} the page, and the score of each area in percent
 */
export function markdownOf({ seed, sample, faults }, areas) {
  const rows = areas.map((area) => {
    const own = faults.filter((fault) => fault.area === area);
    const killed = own.filter(isKilled).length;
    const unreached = own.filter(({ outcome }) => outcome === 'unreached').length;
    return { area, total: own.length, killed, unreached, score: own.length === 0 ? 100 : (100 * killed) / own.length };
  });
  const table = rows.map(
    ({ area, total, killed, unreached, score }) =>
      `| ${area} | ${total} | ${killed} | ${total - killed - unreached} | ${unreached} | ${score.toFixed(0)} % |`,
  );
  const rest = faults
    .filter((fault) => !isKilled(fault))
    .map(({ module, line, mutant, before, outcome }) => {
      return `| ${module}:${line} | ${mutant.operator} | ${code(before)} | ${code(mutant.text)} | ${outcome} |`;
    });
  const which = sample === 'Infinity' ? 'All faults' : `${sample} faults of each area, seed ${seed}`;
  const text = [
    `${which}.`,
    '',
    '| area | faults | killed | survived | unreached | score |',
    '|---|---|---|---|---|---|',
    ...table,
    '',
    '| place | operator | code | fault | outcome |',
    '|---|---|---|---|---|',
    ...rest,
    '',
  ].join('\n');
  return { text, scores: rows.map(({ score }) => score) };
}
