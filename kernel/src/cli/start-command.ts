import { setTimeout as delay } from 'node:timers/promises'
import { type Kernel, startKernel } from '../composition/start-kernel.js'
import type { Environment } from '../config/index.js'
import { demoEnvironment } from './demo.js'
import { exitStatus } from './exit-status.js'
import type { Installation } from './installation.js'
import { type StopSignals, watchStopSignals } from './stop-signals.js'
import type { Terminal } from './terminal.js'

/** How long the log has to be written out after an error that ends the process. */
const lastWordsMs = 200

interface StartOptions {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly workingDirectory: string
  readonly installation: Installation
  readonly demo: boolean
}

/**
 * Runs the service until it is told to stop, and starts it again in place as often as an administrator asks for it: what ran is stopped as by a
 * signal, then the configuration is read anew. The first SIGTERM or SIGINT drains and ends it with 0, also in the middle of a restart; a second
 * one ends it at once with 1. A restart that does not succeed ends it like a start that does not. Resolves to the exit status.
 */
export async function startCommand(options: StartOptions): Promise<number> {
  const signals = watchStopSignals(() => process.exit(exitStatus.failed))
  try {
    let portBefore: number | undefined
    for (;;) {
      const unowned = createUnownedErrors()
      const kernel = await startUnlessBroken(options, portBefore, unowned)
      if (options.terminal.interactive) tellWhereItIs(options.terminal, kernel.url, options.demo)
      const ending = await runUntilEnd(kernel, signals, unowned)
      if ('failure' in ending) return tellFailure(options.terminal, ending.failure)
      if (!ending.restart || signals.received()) return exitStatus.done
      portBefore = Number(new URL(kernel.url).port)
    }
  } finally {
    signals.stop()
  }
}

async function start(
  { environment, workingDirectory, installation, demo }: StartOptions,
  portBefore: number | undefined,
  unowned: UnownedErrors,
): Promise<Kernel> {
  return startKernel({
    ...installation,
    environment: demo
      ? await demoEnvironment(environment, {
          ...{ workingDirectory, provider: installation.demoProvider, installedResources: installation.installedResources },
        })
      : environment,
    workingDirectory,
    onUnownedError: unowned.take,
    ...(portBefore === undefined ? {} : { portBefore }),
  })
}

/** Why a kernel came to its end. */
type Ending = { readonly restart: boolean } | { readonly failure: unknown }

/** Errors of the process that belong to no plugin. */
interface UnownedErrors {
  take(error: unknown): void
  /** Resolves with the first of them. */
  readonly first: Promise<{ readonly failure: unknown }>
}

function createUnownedErrors(): UnownedErrors {
  let take: UnownedErrors['take'] = () => undefined
  const first = new Promise<{ readonly failure: unknown }>((resolve) => {
    take = (failure) => resolve({ failure })
  })
  return { take, first }
}

/** Starts the kernel. An error meanwhile ends the process: there is no kernel yet that could be stopped in order. */
async function startUnlessBroken(options: StartOptions, portBefore: number | undefined, unowned: UnownedErrors): Promise<Kernel> {
  let starting = true
  void unowned.first.then(async ({ failure }) => {
    if (starting) process.exit(await tellFailure(options.terminal, failure))
  })
  try {
    return await start(options, portBefore, unowned)
  } finally {
    starting = false
  }
}

/** Waits for a signal, a request to restart or an error that no code caught, and stops the kernel in order. */
async function runUntilEnd(kernel: Kernel, signals: StopSignals, unowned: UnownedErrors): Promise<Ending> {
  let failure: Ending | undefined
  void unowned.first.then((first) => {
    failure = first
  })
  const ending = await Promise.race([
    Promise.race([unowned.first, signals.first]).then((): Ending => ({ restart: false })),
    kernel.restartRequested.then((): Ending => ({ restart: true })),
  ])
  await kernel.stop()
  return failure ?? ending
}

async function tellFailure(terminal: Terminal, failure: unknown): Promise<number> {
  terminal.problem(
    `The service stopped because of an error that nobody caught: ${failure instanceof Error ? failure.message : String(failure)}`,
  )
  await delay(lastWordsMs)
  return exitStatus.failed
}

function tellWhereItIs(terminal: Terminal, url: string, demo: boolean): void {
  terminal.line('')
  terminal.line(terminal.style('bold', `Agent Service runs at ${url}`))
  if (demo) terminal.line(terminal.style('yellow', 'This is the demo: every answer comes from a script, and its data is kept apart.'))
  terminal.line('Talk to it from another terminal:  npx agent-service chat')
  terminal.line('Stop it with Ctrl-C.')
  terminal.line('')
}
