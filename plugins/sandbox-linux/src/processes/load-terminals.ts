import type { OpenTerminal } from '@agent-service/sdk/sandbox-processes'

/**
 * Loads node-pty, with the first terminal. It is compiled at the installation, and left out where
 * that fails. @throws if it is not there.
 */
export async function loadTerminals(): Promise<OpenTerminal> {
  try {
    return (await import('node-pty')).spawn
  } catch (cause) {
    throw new Error('terminals need the package node-pty: install a C++ compiler, make and Python 3, then run “npm rebuild node-pty”', {
      cause,
    })
  }
}
