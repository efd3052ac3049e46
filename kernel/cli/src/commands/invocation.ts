import type { Environment } from '@agent-service/kernel-core/config'
import type { Terminal } from '../terminal/terminal.js'
import type { Installation } from './installation.js'

/** Where a command runs: the terminal, and what the service would be started with. */
export interface Invocation {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly workingDirectory: string
  readonly installation: Installation
}

/**
 * The environment with the log level `error`: a command prints its own output, and only errors of
 * the log belong beside it.
 */
export function quietEnvironment(environment: Environment): Environment {
  const { SERVICE_SERVER__LOG_LEVEL: _otherSpelling, ...rest } = environment
  return { ...rest, SERVICE_SERVER_LOG_LEVEL: 'error' }
}
