import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { defineError } from './errors.js'

/** A plugin did with the process what its service alone may do. */
export const processNotItsOwnError = defineError<{ readonly plugin: string; readonly deed: string; readonly cure: string }>({
  code: 'process_not_its_own',
  status: 500,
  title: 'The process belongs to the service',
  message: ({ plugin, deed, cure }) => `Plugin “${plugin}” ${deed}, but the process belongs to the service and all its plugins. ${cure}`,
})

/**
 * From now on `process.exit`, `process.abort` and a `process.kill` that reaches this process throw
 * where the code of a plugin calls them, imported from `node:process` too; other code ends the
 * process by them as ever. `runningPlugin` answers the id of the plugin whose code runs. The result
 * ends that.
 */
export function refuseExits(runningPlugin: () => string | undefined): () => void {
  const { exit, abort, kill } = process
  const refuse = (call: string, cure: string): void => {
    const plugin = runningPlugin()
    if (plugin !== undefined) throw processNotItsOwnError.create({ plugin, deed: `called ${call}`, cure })
  }
  const instead = 'Throw an error instead.'
  const refusing: Pick<NodeJS.Process, 'exit' | 'abort' | 'kill'> = {
    exit(code) {
      refuse('process.exit()', instead)
      return exit.call(process, code)
    },
    abort() {
      refuse('process.abort()', instead)
      return abort.call(process)
    },
    kill(pid, signal) {
      if (signal !== 0 && reachesThisProcess(Number(pid)))
        refuse(`process.kill(${pid})`, 'To end its own work it throws an error; signals are for its child processes, by their ids.')
      return kill.call(process, pid, signal)
    },
  }
  Object.assign(process, refusing)
  syncBuiltinESMExports()
  return () => {
    if (process.exit === refusing.exit) process.exit = exit
    if (process.abort === refusing.abort) process.abort = abort
    if (process.kill === refusing.kill) process.kill = kill
    syncBuiltinESMExports()
  }
}

/** Whether a signal to this id goes to this process too: by its id, as one of its group, or as one of all. */
const reachesThisProcess = (pid: number): boolean =>
  [process.pid, 0, -1].includes(pid) || (pid < 0 && [process.pid, processGroup()].includes(-pid))

/** The group of this process, as far as the system says it without a further program. */
function processGroup(): number | undefined {
  try {
    // After the name in parentheses: state, parent, group.
    return Number(
      readFileSync('/proc/self/stat', 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[2],
    )
  } catch {
    return undefined
  }
}
