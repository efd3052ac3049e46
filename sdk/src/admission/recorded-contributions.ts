import type { Contribution } from '../core/contribution-point.js'
import type { JsonObject } from '../core/json.js'
import { checkJson } from '../manifest/check-json.js'
import type { RecordedContribution } from '../manifest/recorded-setup.js'
import { contributionFunctions } from './contribution-functions.js'
import type { SetupRecord } from './setup-lines.js'

/** What a setup contributed, as data; or why the host needs the plugin's code to know it. */
export type ContributionsRecord = { readonly recorded: readonly RecordedContribution[] } | { readonly reason: string }

/**
 * Writes down contributions: their data, and the names of their functions. Not possible where a member is
 * neither data nor a function whose result may come later.
 */
export function recordContributions(contributions: SetupRecord['contributions']): ContributionsRecord {
  const recorded: RecordedContribution[] = []
  for (const { point, contribution } of contributions) {
    const record = recordContribution(point.id, contribution)
    if ('reason' in record) return { reason: `its contribution “${point.keyOf(contribution)}” to ${point.id} ${record.reason}` }
    recorded.push(record)
  }
  return { recorded }
}

function recordContribution(point: string, contribution: Contribution): RecordedContribution | { readonly reason: string } {
  const kinds = contributionFunctions.get(point)
  if (kinds === undefined) return { reason: 'is needed as soon as the service runs' }
  const data = new Map<string, unknown>()
  const functions: string[] = []
  for (const [name, member] of membersOf(contribution)) {
    if (member === undefined) continue
    if (typeof member !== 'function') {
      const [problem] = checkJson(member, `/${name}`)
      if (problem !== undefined) return { reason: `has more than data: ${problem.path} ${problem.message}` }
      data.set(name, member)
      continue
    }
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) return { reason: `has a function “${name}” that its contract does not name` }
    if (kind === 'immediate') return { reason: `has a function “${name}” that answers at once` }
    functions.push(name)
  }
  return { point, data: Object.fromEntries(data) as JsonObject, functions: functions.sort() }
}

/** The members of an object by name, including those of its classes, each read once. */
export function membersOf(contribution: object): Map<string, unknown> {
  const members = new Map<string, unknown>()
  for (let holder: object = contribution; holder !== Object.prototype && holder !== null; holder = Object.getPrototypeOf(holder) as object)
    for (const name of Object.getOwnPropertyNames(holder))
      if (name !== 'constructor' && !members.has(name)) members.set(name, Reflect.get(contribution, name))
  return members
}
