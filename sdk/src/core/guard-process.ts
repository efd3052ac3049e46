import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { defineError } from './errors.js'

/** Ends the process without the listeners of `exit`. Node has it for `process.exit`, and libraries that listen to each exit wrap it. */
type WithReallyExit = { reallyExit(code?: number): never }

/** A plugin did with the process what its service alone may do. */
export const processNotItsOwnError = defineError<{ readonly plugin: string; readonly deed: string; readonly cure: string }>({
  code: 'process_not_its_own',
  status: 500,
  title: 'The process belongs to the service',
  message: ({ plugin, deed, cure }) => `Plugin “${plugin}” ${deed}, but the process belongs to the service and all its plugins. ${cure}`,
})

/**
 * From now on `process.exit`, `process.abort`, a `process.kill` that reaches this process,
 * `process.chdir`, setting `process.umask` and closing its standard streams throw where the code of a
 * plugin calls them, by named imports too. For other code they work as ever. (After the end of a stream nothing reads the log any more where it is a
 * socket, as of systemd. A closed one gives its number to the next file that is opened, and the log
 * would be written into that.) `runningPlugin` answers the id of the plugin whose code runs. The result
 * ends that.
 */
export function guardProcess(runningPlugin: () => string | undefined): () => void {
  const ending = process as NodeJS.Process & WithReallyExit
  const { exit, abort, kill, chdir, umask, reallyExit } = ending
  const refuse = (call: string, cure: string): void => {
    const plugin = runningPlugin()
    if (plugin !== undefined) throw processNotItsOwnError.create({ plugin, deed: `called ${call}`, cure })
  }
  const instead = 'Throw an error instead.'
  const { close, closeSync } = fs
  const refuseClose = (call: string, fd: number): void => {
    if (fd >= 0 && fd <= 2) refuse(`${call}(${fd})`, 'Close the files alone that it opened.')
  }
  const closing: Pick<typeof fs, 'close' | 'closeSync'> = {
    close: Object.assign((fd: number, callback?: fs.NoParamCallback) => {
      refuseClose('fs.close', fd)
      return close(fd, callback)
    }, close),
    closeSync(fd) {
      refuseClose('fs.closeSync', fd)
      closeSync(fd)
    },
  }
  const refusing: Pick<NodeJS.Process, 'exit' | 'abort' | 'kill' | 'chdir' | 'umask'> & WithReallyExit = {
    exit(code) {
      refuse('process.exit()', instead)
      return exit.call(process, code)
    },
    reallyExit(code) {
      refuse('process.reallyExit()', instead)
      return reallyExit.call(process, code)
    },
    abort() {
      refuse('process.abort()', instead)
      return abort.call(process)
    },
    chdir(directory) {
      refuse('process.chdir()', 'Use absolute paths.')
      chdir.call(process, directory)
    },
    umask(mask?: string | number) {
      if (mask !== undefined) refuse('process.umask()', 'Give each file that it makes a mode.')
      return umask.call(process, mask as number)
    },
    kill(pid, signal) {
      if (signal !== 0 && reachesThisProcess(Number(pid)))
        refuse(`process.kill(${pid})`, 'To end its own work it throws an error; signals are for its child processes, by their ids.')
      return kill.call(process, pid, signal)
    },
  }
  Object.assign(process, refusing)
  Object.assign(fs, closing)
  const release = [guardStream('stdout', refuse), guardStream('stderr', refuse)]
  syncBuiltinESMExports()
  return () => {
    if (process.exit === refusing.exit) process.exit = exit
    if (ending.reallyExit === refusing.reallyExit) ending.reallyExit = reallyExit
    if (process.abort === refusing.abort) process.abort = abort
    if (process.kill === refusing.kill) process.kill = kill
    if (process.chdir === refusing.chdir) process.chdir = chdir
    if (process.umask === refusing.umask) process.umask = umask
    for (const end of release) end()
    if (fs.close === closing.close) fs.close = close
    if (fs.closeSync === closing.closeSync) fs.closeSync = closeSync
    syncBuiltinESMExports()
  }
}

type Refuse = (call: string, cure: string) => void

/** The result ends the guard. */
function guardStream(name: 'stdout' | 'stderr', refuse: Refuse): () => void {
  const stream: NodeJS.WriteStream = process[name]
  const { end, destroy } = stream
  const cure = `Write to it and leave it open, or better: context.log.`
  const guarded = {
    end(...given: Parameters<typeof end>) {
      refuse(`process.${name}.end()`, cure)
      return end.apply(stream, given)
    },
    destroy(error?: Error) {
      refuse(`process.${name}.destroy()`, cure)
      return destroy.call(stream, error)
    },
  }
  Object.assign(stream, guarded)
  return () => {
    if (stream.end === guarded.end) stream.end = end
    if (stream.destroy === guarded.destroy) stream.destroy = destroy
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
      fs
        .readFileSync('/proc/self/stat', 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[2],
    )
  } catch {
    return undefined
  }
}
