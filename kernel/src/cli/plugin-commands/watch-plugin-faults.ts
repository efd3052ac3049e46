import type { Disposer } from '@agent-service/sdk'
import type { PluginFaults } from '../../plugins/start/plugin-faults.js'
import { exitStatus } from '../exit-status.js'
import type { Terminal } from '../terminal.js'

/** Ends the program with a line, and without a stack, at an error that nobody caught. */
export function watchPluginFaults(faults: PluginFaults, terminal: Terminal): Disposer {
  const end = (whose: string, error: unknown): never => {
    terminal.problem(`An error${whose} was caught by nobody: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(exitStatus.failed)
  }
  return faults.watch({
    onFault: ({ pluginId, error }) => end(` of the plugin “${pluginId}”`, error),
    onUnowned: (error) => end('', error),
  })
}
