/** Sends a signal to a process, or with a negative number to a process group. Ignores one that has ended. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // macOS answers EPERM for a group whose processes have all ended and are only waited for.
    if (code !== 'ESRCH' && !(code === 'EPERM' && pid < 0)) throw error
  }
}
