/** How long what is still open may keep the process of a command alive, in milliseconds. */
const lingerMs = 1_000

/** That of Node, whatever becomes of `process.exit`. */
const exit: typeof process.exit = process.exit.bind(process)

/**
 * Ends the process with this status, whatever is still open. Listeners of plugins for the end run, but can neither prevent it,
 * not even by a throw, nor change the status.
 */
export function endProcess(status: number): never {
  process.on('exit', () => {
    process.exitCode = status
  })
  try {
    return exit(status)
  } catch {
    // A listener threw. They do not run a second time.
    return exit(status)
  }
}

/** Ends the process with this status when nothing is open any more, and soon in any case. */
export function endProcessSoon(status: number): void {
  process.exitCode = status
  setTimeout(() => endProcess(status), lingerMs).unref()
}
