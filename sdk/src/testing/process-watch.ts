import { strict as assert } from 'node:assert'
import { AsyncLocalStorage } from 'node:async_hooks'

/** Events that a program handles itself; a handler of a contribution would take them from it. */
const eventsOfProgram = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const
/** What stays open until its owner closes it. Timers end by themselves. */
const openKinds = new Set(['TCPSocketWrap', 'TCPServerWrap', 'TLSWrap', 'PipeWrap', 'UDPWrap', 'ProcessWrap', 'FSEventWrap', 'MessagePort'])

/**
 * Runs work and fails if it wrote to standard output itself, past what it was given for that. Output of
 * others, such as the test framework's, does not count.
 */
export async function withoutOutput<Result>(work: () => Promise<Result>): Promise<Result> {
  const scope = new AsyncLocalStorage<true>()
  const written: string[] = []
  const note = (text: unknown): void => {
    if (scope.getStore()) written.push(String(text))
  }
  const { stdout } = process
  const { log, info, debug } = console
  const write = stdout.write
  stdout.write = ((...parts: Parameters<typeof write>) => {
    note(parts[0])
    return write.apply(stdout, parts)
  }) as typeof write
  // Some frameworks have a console of their own, which does not use the stream.
  for (const [name, print] of Object.entries({ log, info, debug }))
    Object.assign(console, {
      [name](...parts: unknown[]) {
        note(parts[0])
        print.apply(console, parts)
      },
    })
  try {
    return await scope.run(true, work)
  } finally {
    stdout.write = write
    Object.assign(console, { log, info, debug })
    assert.deepEqual(written, [], 'it wrote to standard output itself, where it spoils --json')
  }
}

/** Fails if two runs of work change the process, or one of them more than the one before it. */
export async function leavesProcessAlone(work: () => Promise<unknown>): Promise<void> {
  const before = stateOfProcess()
  await work()
  // What a library does once, when it is loaded, is not the work's.
  const handlers = handlerCounts()
  await work()
  const after = stateOfProcess()
  if (after.folder !== before.folder) process.chdir(before.folder)
  process.exitCode = before.exitCode
  assert.equal(after.folder, before.folder, 'it changed the current folder of the process')
  assert.equal(after.exitCode, before.exitCode, 'it set the exit code of the process')
  assert.deepEqual(after.environment, before.environment, 'it changed the environment of the process')
  assert.deepEqual(handlerCounts(), handlers, 'it left a handler of a signal or of errors at the process')
}

const stateOfProcess = () => ({
  folder: process.cwd(),
  exitCode: process.exitCode,
  // biome-ignore lint/style/noProcessEnv: compared, not read for a setting.
  environment: { ...process.env },
})

const handlerCounts = (): Readonly<Record<string, number>> =>
  Object.fromEntries(eventsOfProgram.map((name) => [name, process.listenerCount(name)]))

/** How many sockets, servers, child processes and watchers of files keep the process alive. */
export const openResources = (): number => process.getActiveResourcesInfo().filter((kind) => openKinds.has(kind)).length
