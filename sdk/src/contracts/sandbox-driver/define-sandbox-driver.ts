import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { SandboxDriver } from './sandbox-driver.js'

/**
 * Makes a sandbox driver.
 *
 * @example
 * const createJailDriver = (methods: Omit<SandboxDriver, 'specVersion' | 'id' | 'title' | 'platforms'>) =>
 *   defineSandboxDriver({ id: 'jail', title: 'Jails', platforms: ['freebsd'], ...methods })
 */
export function defineSandboxDriver(definition: ContributionDefinition<SandboxDriver>): SandboxDriver {
  return Object.freeze<SandboxDriver>({ ...definition, specVersion: 1 })
}
