import type { Contribution, Problem } from '@agent-service/sdk'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import { type ConsolePanel, checkPanelPaths, consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { type HttpRoute, httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { sandboxDrivers } from '@agent-service/sdk/contracts/sandbox-driver'
import { type SchedulerJob, schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { maxToolNameLength, type Tool, tools } from '@agent-service/sdk/contracts/tool'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import { type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import { type WebSocketRoute, websocketRoutes } from '@agent-service/sdk/contracts/websocket-route'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'

export interface NamedPlugin {
  readonly id: string
  readonly builtIn: boolean
}

/** `tool-dice` → `tool_dice`: the prefix of a third party's tool and collection names. */
export const snakeCaseOf = (pluginId: string): string => pluginId.replaceAll('-', '_')

/** `tool-dice` → `toolDice`: the prefix of a third party's operation ids. */
export const camelCaseOf = (pluginId: string): string => pluginId.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/**
 * The contribution under its name in the deployment: a third party's tool is `<plugin>__<tool>`,
 * also if its author wrote the whole name. Everything else keeps its name.
 */
export function underOwnName(point: string, contribution: Contribution, plugin: NamedPlugin): Contribution {
  if (point !== tools.id || plugin.builtIn) return contribution
  const prefix = `${snakeCaseOf(plugin.id)}__`
  const tool = contribution as Tool
  return tool.name.startsWith(prefix) ? tool : Object.freeze<Tool>({ ...tool, name: prefix + tool.name })
}

/**
 * The names in a third party's contribution that do not carry its plugin's id. Tools, jobs,
 * operations, `user.data`, and the sections, hooks, parts, sources and memory of agents must, so
 * that no plugin can impersonate another. Empty for built-in plugins.
 */
export function checkOwnNames(
  point: string,
  contribution: Contribution,
  plugin: NamedPlugin,
  collections: readonly CollectionDefinition[],
): readonly Problem[] {
  if (plugin.builtIn) return []
  switch (point) {
    case tools.id:
      return checkToolName((contribution as Tool).name, plugin.id)
    case schedulerJobs.id:
      return checkJobId((contribution as SchedulerJob).id, plugin.id)
    case httpRoutes.id:
    case websocketRoutes.id:
      return checkOperationId((contribution as HttpRoute | WebSocketRoute).operationId, plugin.id)
    case agentPromptSections.id:
    case agentRunHooks.id:
    case chatParts.id:
    case toolSources.id:
    case doctorChecks.id:
      return checkId(idOf(contribution), plugin.id, '-')
    case consolePanels.id:
      return [...checkId(idOf(contribution), plugin.id, '-'), ...checkPanelPaths(contribution as ConsolePanel, plugin.id)]
    case memoryBackends.id:
    case policyEngines.id:
    case sandboxDrivers.id:
      return checkSlotId(point, idOf(contribution), plugin.id)
    case userData.id:
      return checkUserDataNames(contribution as UserData, plugin.id, collections)
    default:
      return []
  }
}

function checkToolName(name: string, pluginId: string): readonly Problem[] {
  const prefix = `${snakeCaseOf(pluginId)}__`
  const room = maxToolNameLength - prefix.length
  const own = name.startsWith(prefix) ? name.slice(prefix.length) : name
  if (own.length > 0 && own.length <= room) return []
  const message =
    room > 0
      ? `must have at most ${room} characters: agents call the tool “${prefix}${own}”, and that may have ${maxToolNameLength}`
      : `has no room after “${prefix}”, the prefix of this plugin's tool names: give the plugin a shorter id`
  return [{ path: '/name', message }]
}

const checkId = (id: string, pluginId: string, separator: '-' | '.'): readonly Problem[] =>
  id === pluginId || id.startsWith(pluginId + separator)
    ? []
    : [{ path: '/id', message: `must be “${pluginId}”, the id of its plugin, or begin with “${pluginId}${separator}”` }]

const checkJobId = (id: string, pluginId: string): readonly Problem[] =>
  id.startsWith(`${pluginId}.`) ? [] : [{ path: '/id', message: `must begin with “${pluginId}.”, the id of its plugin` }]

const idOf = (contribution: Contribution): string => (contribution as Contribution & { readonly id: string }).id

/** A slot's plugin is found by the picked name, so the two must match. */
function checkSlotId(point: string, id: string, pluginId: string): readonly Problem[] {
  const names = [...new Set([pluginId, slotKeyOf(point, pluginId)])]
  if (names.includes(id)) return []
  return [{ path: '/id', message: `must be ${names.map((name) => `“${name}”`).join(' or ')}: “${point}” finds its plugin by it` }]
}

/**
 * `memory-garden` → `garden`: the name of a slot's contribution if its plugin's id begins with the
 * first word of the point.
 */
export function slotKeyOf(point: string, pluginId: string): string {
  const prefix = `${point.split('.')[0] ?? ''}-`
  return pluginId.startsWith(prefix) ? pluginId.slice(prefix.length) : pluginId
}

function checkOperationId(operationId: string, pluginId: string): readonly Problem[] {
  const prefix = camelCaseOf(pluginId)
  const rest = operationId.startsWith(prefix) ? operationId.slice(prefix.length) : undefined
  if (rest !== undefined && /^[A-Z0-9]/.test(rest)) return []
  const example = `${prefix}${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`
  return [{ path: '/operationId', message: `must begin with “${prefix}”, the id of its plugin: ${example}` }]
}

function checkUserDataNames(data: UserData, pluginId: string, collections: readonly CollectionDefinition[]): readonly Problem[] {
  const own = new Set(collections.map(({ name }) => name))
  return [
    ...checkId(data.id, pluginId, '.'),
    ...data.collections.flatMap((name, index) =>
      own.has(name) ? [] : [{ path: `/collections/${index}`, message: `names “${name}”, which is not a collection of this plugin` }],
    ),
  ]
}

/**
 * A third party's collections that do not carry its id. A plugin's own are `<plugin id in
 * snake_case>.<plural>`.
 */
export function foreignCollections(plugin: NamedPlugin, collections: readonly CollectionDefinition[]): readonly string[] {
  if (plugin.builtIn) return []
  return collections.map(({ name }) => String(name)).filter((name) => !name.startsWith(`${snakeCaseOf(plugin.id)}.`))
}
