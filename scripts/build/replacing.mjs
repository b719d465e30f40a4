/** Gives a package other modules than it asks for: those that load much and are used for nothing here. */

/**
 * @param {string} name of the package whose files ask
 * @param {Readonly<Record<string, string>>} sources what is asked for → the module's source, in CommonJS
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
