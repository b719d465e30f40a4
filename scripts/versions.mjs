/** Versions and the text of the changelog, for releases. */

/** Semantic Versioning without build metadata, which npm drops. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** @param {string} version @returns {{ numbers: number[], before: string[] }} */
function parsed(version) {
  const match = VERSION.exec(version);
  if (match === null)
    throw new Error(`"${version}" is no version: write patch, minor, major, or one like 1.2.3 or 2.0.0-rc.1`);
  const [, major, minor, patch, before] = match;
  return { numbers: [major, minor, patch].map(Number), before: before?.split('.') ?? [] };
}

/** @param {string} a @param {string} b identifiers of pre-releases (semver.org, 11.4) */
function compareParts(a, b) {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @param {string} a @param {string} b @returns {number} negative if `a` is earlier */
export function compareVersions(a, b) {
  const [one, other] = [parsed(a), parsed(b)];
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // 1.0.0-rc.1 comes before 1.0.0.
  if (one.before.length === 0 || other.before.length === 0) return other.before.length - one.before.length;
  for (const [index, part] of one.before.entries()) {
    const counterpart = other.before[index];
    if (counterpart === undefined) return 1;
    const difference = compareParts(part, counterpart);
    if (difference !== 0) return difference;
  }
  return one.before.length - other.before.length;
}

/**
 * @param {string} current
 * @param {string} wanted patch, minor, major, or a version
 * @returns {string}
 * @throws Error if it is not a version, or not later
 */
export function nextVersion(current, wanted) {
  const { numbers, before } = parsed(current);
  const [major = 0, minor = 0, patch = 0] = numbers;
  const isBefore = before.length > 0;
  // After 2.0.0-rc.1 the next patch, minor and major version is 2.0.0.
  if (wanted === 'patch') return `${major}.${minor}.${isBefore ? patch : patch + 1}`;
  if (wanted === 'minor') return isBefore && patch === 0 ? `${major}.${minor}.0` : `${major}.${minor + 1}.0`;
  if (wanted === 'major') return isBefore && patch === 0 && minor === 0 ? `${major}.0.0` : `${major + 1}.0.0`;
  parsed(wanted);
  if (compareVersions(wanted, current) <= 0)
    throw new Error(`${wanted} is not later than the current version, ${current}`);
  return wanted;
}

const UNRELEASED = /^## Unreleased[^\S\n]*\n([\s\S]*?)(?=^## |(?![\s\S]))/m;

/**
 * @param {string} changelog
 * @param {string} version
 * @param {string} date yyyy-MM-dd
 * @returns {{ text: string, notes: string }} the changelog with a heading for the version, and the entries below it
 * @throws Error if there are no entries
 */
export function releasedChangelog(changelog, version, date) {
  const notes = UNRELEASED.exec(changelog)?.[1]?.trim();
  if (notes === undefined) throw new Error('CHANGELOG.md has no heading "## Unreleased"');
  if (notes === '') throw new Error('CHANGELOG.md has nothing under "## Unreleased": say what is new first');
  const text = changelog.replace(UNRELEASED, () => `## Unreleased\n\n## ${version} (${date})\n\n${notes}\n\n`);
  return { text: `${text.trimEnd()}\n`, notes };
}

/**
 * The changelog entries of a version, for the release page.
 * @param {string} changelog
 * @param {string} version
 * @throws Error if it has none
 */
export function notesOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version} (`));
  if (section === undefined) throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return section.slice(section.indexOf('\n')).trim();
}
