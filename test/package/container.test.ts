/** docs/recipes/Dockerfile: its lines run anywhere; buildah (Debian, as root) builds it, and it runs with a read-only root. */
import { execFile, execFileSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { fetchNode, NODES } from '../../scripts/build/node-binaries.mjs';
import { temporaryFolder } from '../support/run.js';
import { PATH_WITH_NODE } from './packed.js';
import { served } from './program.js';

type Env = Readonly<Record<string, string>>;

const run = promisify(execFile);
const DOCKERFILE = resolve('docs/recipes/Dockerfile');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
/** The image `node:22-slim` is Debian with the newest Node 22 and npm in /usr/local, and a user `node` with the ID 1000. */
const node = fetchNode(NODES[1]);
const npm = dirname(
  dirname(
    execFileSync('readlink', ['-f', execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()], { encoding: 'utf8' }),
  ),
);

/** The commands that each container must run, the last as in docs/recipes/README.md. */
async function tryIt(edu: (argv: readonly string[], env?: Env) => Promise<string>, volume: string): Promise<void> {
  expect(await edu(['--version'])).toBe(`${version}\n`);
  expect(await edu(['--offline', 'licenses', 'list', '--limit', '1', '-o', 'ids', '-q'])).toBe('00000001\n');
  const { ready, stop } = await served({
    file: join(inject('equipped'), 'node_modules/.bin/edu'),
    path: PATH_WITH_NODE,
  });
  const env = { EDU_BASE_URL: String(ready.baseUrl), EDU_TOKEN: 'edu-offline-distributor' };
  await edu(['export', '--to', '/data/today', '--quiet'], env);
  await stop();
  expect(JSON.parse(readFileSync(join(volume, 'today/manifest.json'), 'utf8')).complete).toBe(true);
}

test('its lines, in a prefix instead of a root', async () => {
  const root = temporaryFolder();
  const programs = join(root, 'programs');
  for (const folder of ['programs', 'opt', 'tmp']) mkdirSync(join(root, folder));
  writeFileSync(join(programs, 'node'), `#!/bin/sh\nexec ${node} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\nexec ${node} ${npm}/bin/npm-cli.js "$@"\n`, { mode: 0o755 });
  // The only command that needs root.
  writeFileSync(join(programs, 'chown'), '#!/bin/sh\n[ "$*" = "node:node $DATA" ]\n', { mode: 0o755 });
  const here = (text: string): string => text.replaceAll(/(?<=^|[ =])\/(?=opt|data|tmp)/g, `${root}/`);
  const env: Record<string, string> = { HOME: root, DATA: join(root, 'data'), npm_config_prefix: join(root, 'usr') };
  env.PATH = `${programs}:${join(root, 'usr/bin')}:/usr/bin:/bin`;
  env.npm_config_offline = 'true';
  const seen: string[] = [];
  let entry = '';
  for (const [, word = '', rest = ''] of readFileSync(DOCKERFILE, 'utf8').matchAll(/^([A-Z]+) (.+)$/gm)) {
    seen.push(word);
    if (word === 'COPY') copyFileSync(inject('tarball'), join(root, 'opt', basename(inject('tarball'))));
    if (word === 'RUN') await run('sh', ['-ec', here(rest)], { env });
    if (word === 'ENTRYPOINT') [entry] = JSON.parse(rest);
    if (word === 'ENV') {
      for (const [name = '', value = ''] of rest.split(' ').map((one) => one.split('='))) env[name] = here(value);
    }
  }
  expect(seen).toEqual(['FROM', 'COPY', 'RUN', 'RUN', 'ENV', 'USER', 'WORKDIR', 'VOLUME', 'ENTRYPOINT']);
  const edu = async (argv: readonly string[], more: Env = {}) =>
    (await run(entry, argv.map(here), { env: { ...env, ...more }, cwd: env.DATA })).stdout;
  await tryIt(edu, join(root, 'data'));
}, 180_000);

const engine = ['buildah', 'mmdebstrap', 'unshare'].every((name) =>
  ['/usr/bin', '/usr/local/bin'].some((folder) => existsSync(join(folder, name))),
);

/** Makes the image that the Dockerfile begins with, and builds it. $1: folder, $2: Node's program, $3: npm's folder, $4: Dockerfile. */
const BUILD = `
here=$1
mmdebstrap --quiet --variant=extract --include=dash,coreutils,libstdc++6 "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$here/base"
mkdir -p "$here"/base/{etc,home/node,proc,root,tmp,usr/local/bin,usr/local/lib/node_modules}
chmod 1777 "$here/base/tmp"
cp "$2" "$here/base/usr/local/bin/node"
cp -r "$3" "$here/base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$here/base/usr/local/bin/npm"
printf '%s:/root:/bin/sh\\n' root:x:0:0: node:x:1000:1000: > "$here/base/etc/passwd"
printf '%s:\\n' root:x:0 node:x:1000 > "$here/base/etc/group"
buildah() { command buildah --root "$here/store" --runroot "$here/run" "$@"; }
base=$(buildah from scratch)
buildah add --quiet "$base" "$here/base" /
buildah commit --quiet "$base" docker.io/library/node:22-slim
buildah build --isolation chroot --pull-never --tag edu --file "$4" "$here/context"
buildah inspect --type image edu > "$here/image.json"
buildah mount "$(buildah from --pull-never edu)" > "$here/mounted"
`;

/** Runs a program of the image as its user, with a read-only root. $1: root, $2: volume, $3: user. */
const RUN = `
root=$1; volume=$2; user=$3; shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$volume" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
exec chroot --userspec="$user" "$root" /usr/bin/env -i --chdir=/data "$@"
`;

test.runIf(engine && process.getuid?.() === 0)(
  'built by buildah, as user 1000 with a read-only root and a volume',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edu-image-'));
    onTestFinished(async () => {
      await run('buildah', ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), 'umount', '--all']);
      rmSync(folder, { recursive: true, force: true });
    });
    const volume = join(folder, 'volume');
    for (const name of ['context', 'volume']) mkdirSync(join(folder, name));
    copyFileSync(inject('tarball'), join(folder, 'context', basename(inject('tarball'))));
    await run('bash', ['-ec', BUILD, 'build', folder, node, npm, DOCKERFILE]);
    const { OCIv1 } = JSON.parse(readFileSync(join(folder, 'image.json'), 'utf8'));
    const { User, Env: variables, Entrypoint, WorkingDir, Volumes } = OCIv1.config;
    expect([User, Entrypoint, WorkingDir, Volumes]).toEqual(['node', ['edu'], '/data', { '/data': {} }]);
    chownSync(volume, 1000, 1000);
    const root = readFileSync(join(folder, 'mounted'), 'utf8').trim();
    const inside = async (program: readonly string[], env: Env = {}) => {
      const words = [root, volume, User, ...variables, ...Object.entries(env).map((one) => one.join('=')), ...program];
      const flags = ['--mount', '--pid', '--fork', 'bash', '-ec', RUN, 'run'];
      return (await run('unshare', [...flags, ...words])).stdout;
    };
    expect(await inside(['id', '-u'])).toBe('1000\n');
    await expect(inside(['touch', '/usr/x'])).rejects.toMatchObject({ stderr: expect.stringContaining('Read-only') });
    await tryIt((argv, env) => inside([...Entrypoint, ...argv], env), volume);
  },
  300_000,
);
