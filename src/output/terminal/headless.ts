/** Detects whether this machine can show a web page to its user. */
import type { Env } from '../../core/io.js';

/** Why no browser can be opened; undefined when one can. */
export function whyNoBrowser(env: Env, platform: NodeJS.Platform): string | undefined {
  if (env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT) return 'this is a remote session (SSH)';
  // Windows below WSL has its own display.
  const isUnix = platform !== 'win32' && platform !== 'darwin' && !env.WSL_DISTRO_NAME;
  if (isUnix && !env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display';
  return undefined;
}

/**
 * The command that brings a port of this machine to the machine where the person sits.
 * @param host name under which this machine listens: `127.0.0.1`, `localhost`, `[::1]`
 */
export function sshForward(env: Env, host: string, port: number): string {
  // "client address, client port, server address, server port" (ssh(1), ENVIRONMENT).
  const [, , server = 'THIS-MACHINE', serverPort = '22'] = env.SSH_CONNECTION?.trim().split(/\s+/) ?? [];
  const user = env.USER || env.LOGNAME;
  const safe = (text: string): string => text.replace(/[^\w.:@%+-]/g, '');
  const target = user ? `${safe(user)}@${safe(server)}` : safe(server);
  return `ssh -L ${port}:${host}:${port}${serverPort === '22' ? '' : ` -p ${safe(serverPort)}`} ${target}`;
}
