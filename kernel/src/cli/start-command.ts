import { setTimeout as delay } from 'node:timers/promises'
import { startKernel } from '../composition/start-kernel.js'
import type { Environment } from '../config/index.js'
import { demoEnvironment } from './demo.js'
import { exitStatus } from './exit-status.js'
import type { Installation } from './installation.js'
import type { Terminal } from './terminal.js'

/** How long the log has to be written out after an error that ends the process. */
const lastWordsMs = 200

/**
 * Runs the service until it is told to stop. The first SIGTERM or SIGINT drains and ends it with 0; a second one ends it at once with 1.
 * Resolves to the exit status.
 */
export async function startCommand(options: {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly workingDirectory: string
  readonly installation: Installation
  readonly demo: boolean
}): Promise<number> {
  const { terminal, workingDirectory, installation } = options
  const environment = options.demo
    ? demoEnvironment(options.environment, { workingDirectory, provider: installation.demoProvider })
    : options.environment

  let signals = 0
  let stopRequested: () => void = () => undefined
  const stop = new Promise<void>((resolve) => {
    stopRequested = resolve
  })
  const onSignal = (): void => {
    signals += 1
    if (signals > 1) process.exit(exitStatus.failed)
    stopRequested()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  try {
    const kernel = await startKernel({ environment, workingDirectory, ...installation })
    let failure: unknown
    const unwatch = kernel.plugins.watchFaults((error) => {
      failure = error
      stopRequested()
    })
    if (terminal.interactive) tellWhereItIs(terminal, kernel.url, options.demo)
    await stop
    await kernel.stop()
    await unwatch()
    if (failure === undefined) return exitStatus.done
    terminal.problem(
      `The service stopped because of an error that nobody caught: ${failure instanceof Error ? failure.message : String(failure)}`,
    )
    await delay(lastWordsMs)
    return exitStatus.failed
  } finally {
    process.off('SIGTERM', onSignal)
    process.off('SIGINT', onSignal)
  }
}

function tellWhereItIs(terminal: Terminal, url: string, demo: boolean): void {
  terminal.line('')
  terminal.line(terminal.style('bold', `Agent Service runs at ${url}`))
  if (demo) terminal.line(terminal.style('yellow', 'This is the demo: every answer comes from a script, and its data is kept apart.'))
  terminal.line('Talk to it from another terminal:  npx agent-service chat')
  terminal.line('Stop it with Ctrl-C.')
  terminal.line('')
}
