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

/** Runs a script's `main`; its number is the exit status. Prints a failure and uses its status. */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`)
    process.exitCode = error?.isFailure === true ? error.status : 1
  }
}
