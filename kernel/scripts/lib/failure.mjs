import { watchInterruption } from './interruption.mjs'

/**
 * A failure that a person can act on: what happened, the complete output of the failed step, and
 * how to fix it. Any other error is a defect of these scripts and is shown with its stack.
 */
export function failure(message, { output = '', mend = '', status = 1, cause } = {}) {
  return Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { isFailure: true, output, mend, status })
}

/** The text for the terminal: message, output, advice, in this order. */
export function describeFailure(error) {
  if (error === null || typeof error !== 'object' || error.isFailure !== true) return String(error?.stack ?? error)
  const parts = [`✗ ${error.message}`]
  if (error.output.trim() !== '') parts.push(error.output.trimEnd())
  if (error.mend !== '') parts.push(`→ ${error.mend}`)
  return parts.join('\n')
}

/**
 * Runs a script's `main`; its number is the exit status. Prints a failure and uses its status. On a
 * signal that asks it to end, everything that it has started is ended, and its status is that of the
 * signal. With `forwardsSignals` this is left to `main`, which hands signals on.
 */
export async function runScript(main, { forwardsSignals = false } = {}) {
  const interruption = forwardsSignals ? undefined : watchInterruption()
  const isInterrupted = () => interruption?.status() !== undefined
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    // What fails since its processes were ended says no more than that.
    if (!isInterrupted() || error?.isFailure === true) process.stderr.write(`${describeFailure(error)}\n`)
    process.exitCode = error?.isFailure === true ? error.status : 1
  }
  if (isInterrupted()) await interruption.leave()
  interruption?.stopWatching()
}
