import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { UserData } from './user-data.js'

/** Makes what answers for the data that a plugin keeps about its users. */
export function defineUserData(definition: ContributionDefinition<UserData>): UserData {
  return Object.freeze({ ...definition, specVersion: 1 })
}
