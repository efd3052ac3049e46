import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { UserData } from './user-data.js'

/**
 * Makes a contribution for the data that a plugin keeps about its users.
 *
 * @example
 * const visits = new Map<string, number>()
 * defineUserData({
 *   id: 'visits',
 *   collections: [],
 *   async *export(userId) {
 *     yield { path: 'visits.json', json: visits.get(userId) ?? 0 }
 *   },
 *   erase: async (userId) => void visits.delete(userId),
 *   size: async (userId) => ({ records: visits.has(userId) ? 1 : 0, bytes: 8 }),
 * })
 */
export function defineUserData(definition: ContributionDefinition<UserData>): UserData {
  return Object.freeze({ ...definition, specVersion: 1 })
}
