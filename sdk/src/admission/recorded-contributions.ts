import path from 'node:path'
import type { ConsolePanel } from '../contracts/console-panel/console-panel.js'
import { consolePanels } from '../contracts/console-panel/point.js'
import { httpRoutes } from '../contracts/http-route/point.js'
import type { HttpRoute } from '../contracts/http-route/route.js'
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
 * neither data nor a function whose result may come later. `folder`: that of `plugin.json`, absolute.
 */
export function recordContributions(contributions: SetupRecord['contributions'], folder: string): ContributionsRecord {
  const recorded: RecordedContribution[] = []
  for (const { point, contribution } of contributions) {
    const record = recordContribution(point.id, contribution, folder)
    if ('reason' in record) return { reason: `its contribution “${point.keyOf(contribution)}” to ${point.id} ${record.reason}` }
    recorded.push(record)
  }
  return { recorded }
}

function recordContribution(point: string, contribution: Contribution, folder: string): RecordedContribution | { readonly reason: string } {
  const kinds = contributionFunctions.get(point)
  if (kinds === undefined) return { reason: 'is needed as soon as the service runs' }
  const data = new Map<string, unknown>()
  const functions: string[] = []
  for (const [name, member] of membersOf(contribution)) {
    if (member === undefined) continue
    if (typeof member !== 'function') {
      data.set(name, portable(point, name, member, folder))
      continue
    }
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) return { reason: `has a function “${name}” that its contract does not name` }
    if (kind === 'immediate') return { reason: `has a function “${name}” that answers at once` }
    functions.push(name)
  }
  const all = Object.fromEntries(data)
  const [problem] = checkJson(all, '')
  if (problem !== undefined) return { reason: `has more than data: ${problem.path} ${problem.message}` }
  if (JSON.stringify(all).includes(JSON.stringify(folder).slice(1, -1))) return { reason: `names a file in ${folder}` }
  return { point, data: all as JsonObject, functions: functions.sort() }
}

/** A member that does not depend on where the plugin lies and which copy of the SDK it has. */
function portable(point: string, name: string, member: unknown, folder: string): unknown {
  if (point === httpRoutes.id && name === 'errors')
    return (member as NonNullable<HttpRoute['errors']>).map(({ code, status }) => ({ code, status }))
  if (point === consolePanels.id && name === 'content')
    return withFolder(member as ConsolePanel['content'], (screens) => path.relative(folder, screens).split(path.sep).join('/'))
  return member
}

/** The data of a recorded contribution as its plugin in this folder has it. */
export function recordedData({ point, data }: RecordedContribution, folder: string): JsonObject {
  if (point !== consolePanels.id) return data
  const { content } = data as unknown as ConsolePanel
  return { ...data, content: withFolder(content, (screens) => path.join(folder, screens)) as unknown as JsonObject }
}

const withFolder = (content: ConsolePanel['content'], change: (folder: string) => string): ConsolePanel['content'] =>
  content?.kind === 'screen' && typeof content.folder === 'string' ? { ...content, folder: change(content.folder) } : content

/** The members of an object by name, including those of its classes, each read once. */
export function membersOf(contribution: object): Map<string, unknown> {
  const members = new Map<string, unknown>()
  for (let holder: object = contribution; holder !== Object.prototype && holder !== null; holder = Object.getPrototypeOf(holder) as object)
    for (const name of Object.getOwnPropertyNames(holder))
      if (name !== 'constructor' && !members.has(name)) members.set(name, Reflect.get(contribution, name))
  return members
}
