/** Detects whether a browser can be opened on this machine. */
import type { Env } from '../../core/io.js';

/** The reason why no browser can be opened; undefined if one can. */
export function noBrowserReason(env: Env, platform: NodeJS.Platform): string | undefined {
  if (env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT) return 'this is a remote session (SSH)';
  // WSL opens browsers on the Windows host, which has a display.
  const isUnix = platform !== 'win32' && platform !== 'darwin' && !env.WSL_DISTRO_NAME;
  if (isUnix && !env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display';
  return undefined;
}

/**
 * The ssh command that forwards a port of this machine to the user's own.
 * @param host the name on which this machine listens: `127.0.0.1`, `localhost`, `[::1]`
 */
export function sshForward(env: Env, host: string, port: number): string {
  // "client address, client port, server address, server port" (ssh(1), ENVIRONMENT).
  const [, , server = 'THIS-MACHINE', serverPort = '22'] = env.SSH_CONNECTION?.trim().split(/\s+/) ?? [];
  const user = env.USER || env.LOGNAME;
  const safe = (text: string): string => text.replace(/[^\w.:@%+-]/g, '');
  const target = user ? `${safe(user)}@${safe(server)}` : safe(server);
  return `ssh -L ${port}:${host}:${port}${serverPort === '22' ? '' : ` -p ${safe(serverPort)}`} ${target}`;
}
