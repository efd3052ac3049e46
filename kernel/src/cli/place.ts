import type { Environment } from '../config/index.js'
import type { Installation } from './installation.js'
import type { Terminal } from './terminal.js'

/** Where a command works: the terminal, and what the service would be started with. */
export interface Place {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly workingDirectory: string
  readonly installation: Installation
}
