import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { DoctorCheck } from './check.js'

/**
 * Makes a check of `agent-service doctor`.
 *
 * @example
 * defineDoctorCheck({
 *   id: 'tool-dice',
 *   title: 'Dice',
 *   run: async () => ({ findings: [{ state: 'well', text: 'Six of them are here.' }] }),
 * })
 */
export function defineDoctorCheck(definition: ContributionDefinition<DoctorCheck>): DoctorCheck {
  return Object.freeze({ ...definition, specVersion: 1 })
}
