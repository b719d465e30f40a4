/** Replaces modules that a package imports: those that take long to load and are not needed here. */

/**
 * @param {string} name of the importing package
 * @param {Readonly<Record<string, string>>} sources by imported module: the replacement, in CommonJS
 * @returns {import('rolldown').Plugin}
 */
export function replacing(name, sources) {
  const prefix = `\0${name}:`;
  const isInside = (/** @type {string} */ file) => file.replaceAll('\\', '/').includes(`/node_modules/${name}/`);
  return {
    name: `replacing-in-${name}`,
    resolveId: (id, importer) =>
      Object.hasOwn(sources, id) && importer !== undefined && isInside(importer) ? prefix + id : null,
    load: (id) => (id.startsWith(prefix) ? sources[id.slice(prefix.length)] : null),
  };
}
