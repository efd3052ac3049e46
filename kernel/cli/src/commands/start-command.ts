import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { createFrontDoor, type FrontDoor } from '@agent-service/kernel-core/http/server'
import type { Log } from '@agent-service/kernel-core/log'
import { guardProcessOfPlugins, logLateFault, watchWithoutHost } from '@agent-service/kernel-core/plugins/start'
import type { RestartOrder } from '@agent-service/kernel-settings/restart'
import { type Kernel, startKernel } from '../composition/start-kernel.js'
import { styled, type Terminal } from '../terminal/terminal.js'
import { browserAddress } from './browser-address.js'
import { demoEnvironment } from './demo.js'
import { entranceLines } from './entrance-lines.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import { endProcess } from './process-end.js'
import { readStartTexts } from './start-texts.js'
import { type StopSignals, watchStopSignals } from './stop-signals.js'
import { createStopWatchdog, type StopWatchdog } from './stop-watchdog.js'

/** How long the process waits for the log to be written after a fatal error. */
const logFlushMs = 200

interface StartOptions extends Invocation {
  readonly demo: boolean
}

/**
 * Runs the service until it is stopped, and restarts it in place when an admin asks for it: the
 * kernel stops, and the next one reads the configuration again, while the port stays open. The first SIGTERM or SIGINT drains and
 * ends it with 0, also during a restart; a second one ends it at once with 1. A failed restart ends
 * it like a failed start. Resolves to the exit status.
 */
export async function startCommand(options: StartOptions): Promise<number> {
  const watchdog = createStopWatchdog()
  const signals = watchStopSignals({ onFirst: () => watchdog.begin(), onSecond: () => endProcess(exitStatus.failed) })
  const endGuard = guardProcessOfPlugins()
  let unowned = createUnownedErrors()
  let log: Log | undefined
  const door = createFrontDoor()
  const stopWatching = watchWithoutHost({
    onLeft: (fault) => log && logLateFault(log.logger, fault),
    onUnowned: (error) => unowned.take(error),
  })
  try {
    let restart: RestartOrder | undefined
    for (;;) {
      unowned = createUnownedErrors()
      const kernel = await startUnlessBroken(options, { door, restart }, unowned)
      log = kernel.serviceLog
      watchdog.watches(kernel)
      settleEngine()
      if (options.terminal.interactive) await welcome(options, kernel)
      const ending = await runUntilEnd(kernel, { signals, unowned, watchdog })
      if ('failure' in ending) return reportFailure(options.terminal, ending.failure)
      if (!ending.restart || signals.received()) return exitStatus.done
      await watchdog.end()
      restart = ending.restart
    }
  } finally {
    log?.flush()
    await door.end()
    stopWatching()
    signals.stop()
    endGuard()
  }
}

/**
 * From here on code is optimised, and the heap grows in smaller steps: a burst of work leaves less
 * memory behind, at the cost of more collector time. Both would make the start longer.
 */
function settleEngine(): void {
  setFlagsFromString('--opt')
  setFlagsFromString('--heap-growing-percent=30')
}

async function start(
  { environment, workingDirectory, installation, demo }: StartOptions,
  { door, restart }: Place,
  unowned: UnownedErrors,
): Promise<Kernel> {
  return startKernel({
    ...installation,
    environment: demo
      ? await demoEnvironment(environment, {
          ...{ workingDirectory, provider: installation.demoProvider, installedResources: installation.installedResources },
        })
      : environment,
    demo,
    workingDirectory,
    onUnownedError: unowned.take,
    door,
    ...(restart ? { restart } : {}),
  })
}

/** What a kernel has of the one before it. */
interface Place {
  readonly door: FrontDoor
  /** What ended the one before. */
  readonly restart: RestartOrder | undefined
}

/** Why a kernel ended. */
type Ending = { readonly restart: RestartOrder | undefined } | { readonly failure: unknown }

/** Errors of the process that do not belong to a plugin. */
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

/**
 * Starts the kernel. An uncaught error meanwhile ends the process: there is no kernel yet that
 * could be stopped in order.
 */
async function startUnlessBroken(options: StartOptions, place: Place, unowned: UnownedErrors): Promise<Kernel> {
  let starting = true
  void unowned.first.then(async ({ failure }) => {
    if (starting) endProcess(await reportFailure(options.terminal, failure))
  })
  try {
    return await start(options, place, unowned)
  } finally {
    starting = false
  }
}

/** Waits for a signal, a request to restart or an uncaught error, and stops the kernel in order. */
async function runUntilEnd(
  kernel: Kernel,
  { signals, unowned, watchdog }: { readonly signals: StopSignals; readonly unowned: UnownedErrors; readonly watchdog: StopWatchdog },
): Promise<Ending> {
  let failure: Ending | undefined
  void unowned.first.then((first) => {
    failure = first
  })
  const ending = await Promise.race([
    Promise.race([unowned.first, signals.first]).then((): Ending => ({ restart: undefined })),
    kernel.restartOrdered.then((restart): Ending => ({ restart })),
  ])
  watchdog.begin()
  await kernel.stop()
  return failure ?? ending
}

async function reportFailure(terminal: Terminal, failure: unknown): Promise<number> {
  terminal.problem(`The service stopped because of an uncaught error: ${failure instanceof Error ? failure.message : String(failure)}`)
  await delay(logFlushMs)
  return exitStatus.failed
}

/** What the person at the terminal sees: where to go, and for the demo the link that signs in. */
async function welcome({ terminal, installation, demo }: StartOptions, { url, entrance, auth }: Kernel): Promise<void> {
  const { hints } = await readStartTexts(installation.installedResources)
  const kind = 'This is the demo: every answer comes from a script, and its data is kept separately.'
  for (const line of [
    '',
    styled('bold', `Agent Service runs at ${browserAddress(url)}`),
    ...(demo ? [styled('yellow', kind)] : []),
    ...entranceLines({ url, entrance, demoSecret: auth.issueDemoLink?.() }),
    ...hints,
    'Press Ctrl-C to stop it.',
    '',
  ])
    terminal.line(line)
}
