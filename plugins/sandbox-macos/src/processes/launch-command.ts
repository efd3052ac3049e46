import type { SandboxLimits } from '@agent-service/sdk/contracts/sandbox-driver'

/** The programs that start a process, both of the system. */
export interface Launcher {
  /** Dash: its limits are in the units of POSIX on every release, and it reads no file at its start. */
  readonly shell: string
  readonly sandboxExec: string
}

/** The program of macOS, at its place alone: one found on a path may be another. */
export const systemLauncher: Launcher = { shell: '/bin/dash', sandboxExec: '/usr/bin/sandbox-exec' }

/** The environment of the launcher itself. The program's comes from a file that is read inside. */
export const launcherEnvironment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' } as const

const blockBytes = 512

/**
 * The whole command line: limits, sandbox-exec, and inside it the environment and the program. Each
 * becomes the next one, so that the process is the program in the end.
 */
export function launchCommand(given: {
  readonly launcher: Launcher
  readonly profile: string
  /** A file of commands that set the program's environment. */
  readonly environment: string
  readonly limits: SandboxLimits
  readonly terminal: boolean
  readonly command: readonly [string, ...string[]]
}): readonly [string, ...string[]] {
  const { launcher, profile, environment, limits, terminal, command } = given
  const { maxOpenFiles, maxFileBytes } = limits
  const outside = [
    'ulimit -c 0',
    // A limit that cannot be set is above the one that holds.
    ...(maxOpenFiles === undefined ? [] : [`ulimit -n ${maxOpenFiles} 2>/dev/null`]),
    ...(maxFileBytes === undefined ? [] : [`ulimit -f ${Math.ceil(maxFileBytes / blockBytes)} 2>/dev/null`]),
    terminal ? 'confine=$1; shift; exec "$confine" -D "TERMINAL=$(tty)" "$@"' : 'exec "$@"',
  ]
  return [
    ...([launcher.shell, '-c', outside.join('\n'), 'launch'] as const),
    ...[launcher.sandboxExec, '-p', profile],
    ...[launcher.shell, '-c', '. "$0"\nexec "$@"', environment],
    ...command,
  ]
}

/** Commands of the shell that make these variables the whole environment. */
export function environmentCommands(variables: Readonly<Record<string, string>>): string {
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`)
  return `${['unset PATH PWD OLDPWD', ...exports].join('\n')}\n`
}
