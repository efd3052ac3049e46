import { type ChildProcess, spawn } from 'node:child_process'
import { launcherEnvironment } from './launch-command.js'

/**
 * Ends process groups when the service dies, however it dies: macOS has no signal for that. A shell
 * in a session of its own keeps the list, and ends with its input, which the service holds.
 */
export interface Watchdog {
  add(group: number): void
  drop(group: number): void
  /** Ends what is still in the list, and removes the folder. */
  close(): void
}

const script = `
groups=' '
while read -r verb group; do
  case $verb in
    add) groups="$groups$group " ;;
    drop) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
rm -rf "$1"
`

/** `folder` is removed in the end. */
export function createWatchdog(shell: string, folder: string): Watchdog {
  const groups = new Set<number>()
  let running: ChildProcess | undefined
  const start = (): ChildProcess => {
    const child = spawn(shell, ['-c', script, 'watchdog', folder], {
      ...{ cwd: '/', env: launcherEnvironment, detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
    })
    // Ended by someone else: the next one starts with the whole list.
    const lose = (): void => {
      if (running === child) running = undefined
    }
    child.once('error', lose).once('exit', lose)
    child.stdin?.on('error', lose)
    child.unref()
    for (const group of groups) child.stdin?.write(`add ${group}\n`)
    return child
  }
  return {
    add(group) {
      groups.add(group)
      if (running === undefined) running = start()
      else running.stdin?.write(`add ${group}\n`)
    },
    drop(group) {
      groups.delete(group)
      running?.stdin?.write(`drop ${group}\n`)
    },
    close() {
      const last = running ?? start()
      running = undefined
      last.stdin?.end()
    },
  }
}
