/** The software bill of materials: the packages in the bundle, as CycloneDX 1.6 (ECMA-424). */

/** @typedef {import('./licences.mjs').Bundled} Bundled */

/** @typedef {{ name: string, version: string, license: string }} Program */

/**
 * @param {string} name @param {string} version
 * @returns {string} the package URL: https://github.com/package-url/purl-spec, type npm
 */
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** @param {string} license an SPDX identifier, or an expression such as `(MIT OR CC0-1.0)` */
const licencesOf = (license) => [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];

/**
 * Without time and random numbers, so that it is the same in every build of the same sources.
 * @param {Program} program
 * @param {readonly Bundled[]} packages in the bundle
 * @param {Readonly<Record<string, string>>} digests `integrity` of package-lock.json by `name@version`
 * @returns {string} the JSON document
 */
export function sbomOf(program, packages, digests) {
  const components = packages.map(({ name, version, license, source }) => {
    const [, base64] = /^sha512-(.+)$/.exec(digests[`${name}@${version}`] ?? '') ?? [];
    const [scope, bare] = name.startsWith('@') ? name.split('/') : [undefined, name];
    return {
      type: 'library',
      'bom-ref': purlOf(name, version),
      ...(scope === undefined ? {} : { group: scope }),
      name: bare,
      version,
      // Of the tarball in the registry.
      ...(base64 === undefined
        ? {}
        : { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] }),
      licenses: licencesOf(license),
      purl: purlOf(name, version),
      ...(source === '' ? {} : { externalReferences: [{ type: 'vcs', url: source }] }),
    };
  });
  const { name, version, license } = program;
  const own = purlOf(name, version);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': own, name, version, licenses: licencesOf(license), purl: own },
    },
    components,
    // The dependencies between packages are not known from a bundle.
    dependencies: [
      { ref: own, dependsOn: components.map((one) => one.purl) },
      ...components.map((one) => ({ ref: one.purl })),
    ],
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/**
 * @param {string} lock text of package-lock.json
 * @returns {Readonly<Record<string, string>>} integrity by name and version
 */
export function digestsIn(lock) {
  /** @type {Record<string, { version?: string, integrity?: string, name?: string }>} */
  const packages = JSON.parse(lock).packages;
  return Object.fromEntries(
    Object.entries(packages).flatMap(([path, { name, version, integrity }]) => {
      const [, inPath] = /.*node_modules\/(.+)$/.exec(path) ?? [];
      const fullName = name ?? inPath;
      return fullName === undefined || integrity === undefined ? [] : [[`${fullName}@${version}`, integrity]];
    }),
  );
}
