import path from 'node:path'
import { agentPromptSections } from '../contracts/agent-prompt-section/point.js'
import { agentRunHooks } from '../contracts/agent-run-hook/point.js'
import { chatParts } from '../contracts/chat-part/point.js'
import type { CliCommand } from '../contracts/cli-command/command.js'
import { cliCommands } from '../contracts/cli-command/point.js'
import { checkPanelPaths } from '../contracts/console-panel/check-panel-paths.js'
import type { ConsolePanel } from '../contracts/console-panel/console-panel.js'
import { consolePanels } from '../contracts/console-panel/point.js'
import { doctorChecks } from '../contracts/doctor-check/point.js'
import type { HttpErrorFormat } from '../contracts/http-error-format/error-format.js'
import { httpErrorFormats } from '../contracts/http-error-format/point.js'
import { httpRoutes } from '../contracts/http-route/point.js'
import type { HttpRoute } from '../contracts/http-route/route.js'
import { httpSites } from '../contracts/http-site/point.js'
import { memoryBackends } from '../contracts/memory-backend/point.js'
import { policyEngines } from '../contracts/policy-engine/point.js'
import { sandboxDrivers } from '../contracts/sandbox-driver/point.js'
import type { SchedulerJob } from '../contracts/scheduler-job/job.js'
import { schedulerJobs } from '../contracts/scheduler-job/point.js'
import { maxToolNameLength } from '../contracts/tool/check-tool.js'
import { tools } from '../contracts/tool/point.js'
import type { Tool } from '../contracts/tool/tool.js'
import { toolSources } from '../contracts/tool-source/point.js'
import { userData } from '../contracts/user-data/point.js'
import type { UserData } from '../contracts/user-data/user-data.js'
import { websocketRoutes } from '../contracts/websocket-route/point.js'
import type { WebSocketRoute } from '../contracts/websocket-route/route.js'
import type { Contribution } from '../core/contribution-point.js'
import type { Problem } from '../core/errors.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import type { CollectionDefinition } from '../services/database.js'
import { checkCommandName } from './reserved-names.js'

/** A plugin, and whether it is part of the service. */
export interface NamedPlugin {
  /** The id of its manifest. */
  readonly id: string
  /** A third party's names carry the id of its plugin. */
  readonly builtIn: boolean
  /** The folder of its package, with links resolved. Default: what it names in it is not looked for. */
  readonly root?: string
  /**
   * Its collections and `user.data` may carry the earlier ids that its manifest lists; its panels may run in the console
   * with a permission of the kind `console`.
   */
  readonly manifest?: Pick<PluginManifest, 'renamedFrom' | 'permissions'>
}

/** A collection of a plugin, as far as contributions refer to it. */
export type NamedCollection = Pick<CollectionDefinition, 'name' | 'userField'>

const idsOf = ({ id, manifest }: NamedPlugin): readonly string[] => [id, ...(manifest?.renamedFrom ?? [])]

/** `tool-dice` → `tool_dice`: the prefix of a third party's tool and collection names. */
const snakeCaseOf = (pluginId: string): string => pluginId.replaceAll('-', '_')

/** `tool-dice` → `toolDice`: the prefix of a third party's operation ids. */
const camelCaseOf = (pluginId: string): string => pluginId.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

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
  collections: readonly NamedCollection[],
): readonly Problem[] {
  if (plugin.builtIn) return []
  switch (point) {
    case tools.id:
      return checkToolName((contribution as Tool).name, plugin.id)
    case schedulerJobs.id:
      return checkJobId((contribution as SchedulerJob).id, plugin.id)
    case httpRoutes.id:
    case websocketRoutes.id: {
      const { path, operationId } = contribution as HttpRoute | WebSocketRoute
      return [...checkOwnPath('/path', path, plugin.id), ...checkOperationId(operationId, plugin.id)]
    }
    case httpErrorFormats.id:
      return checkFormatPaths(contribution as HttpErrorFormat, plugin.id)
    case httpSites.id:
      return [
        {
          path: '/host',
          message: `must be among the “hosts” of the manifest, which only built-in plugins may have; ${ownPathsOf(plugin.id)}`,
        },
      ]
    case cliCommands.id:
      return checkCommandName((contribution as CliCommand).name)
    case agentPromptSections.id:
    case agentRunHooks.id:
    case chatParts.id:
    case toolSources.id:
    case doctorChecks.id:
      return checkId(idOf(contribution), plugin.id, '-')
    case consolePanels.id:
      return [
        ...checkId(idOf(contribution), plugin.id, '-'),
        ...checkPanelPaths(contribution as ConsolePanel, plugin.id),
        ...checkScreenPermission(contribution as ConsolePanel, plugin),
        ...checkScreenFolder(contribution as ConsolePanel, plugin),
      ]
    case memoryBackends.id:
    case policyEngines.id:
    case sandboxDrivers.id:
      return checkSlotId(point, idOf(contribution), plugin.id)
    case userData.id:
      return checkUserDataNames(contribution as UserData, plugin, collections)
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

/** Scripts in the page of the console have the rights of whoever is signed in, so a person grants that. */
const checkScreenPermission = ({ content }: ConsolePanel, { manifest }: NamedPlugin): readonly Problem[] =>
  content.kind !== 'screen' || manifest?.permissions?.some(({ kind }) => kind === 'console')
    ? []
    : [
        {
          path: '/content/kind',
          message:
            "is “screen”, whose code runs in the page of the console with the rights of whoever is signed in: ask for it in the “permissions” of the manifest, with { kind: 'console', reason: … }",
        },
      ]

/** Other folders may be written by others, such as agents, and what is served from them runs as a person. */
function checkScreenFolder({ content }: ConsolePanel, { root }: NamedPlugin): readonly Problem[] {
  if (content.kind !== 'screen' || root === undefined) return []
  const within = path.relative(root, content.folder)
  const isWithin = within !== '' && within !== '..' && !within.startsWith(`..${path.sep}`) && !path.isAbsolute(within)
  return isWithin ? [] : [{ path: '/content/folder', message: `must lie in the package of its plugin, below ${root}` }]
}

const idOf = (contribution: Contribution): string => (contribution as Contribution & { readonly id: string }).id

const ownPathsOf = (pluginId: string): string => `serve paths below ${routePrefixOf(pluginId)}`

/** The prefix of all paths of a third party's plugin. */
export const routePrefixOf = (pluginId: string): string => `/api/plugins/${pluginId}/`

const checkOwnPath = (at: string, path: string, pluginId: string): readonly Problem[] =>
  `${path}/`.startsWith(routePrefixOf(pluginId))
    ? []
    : [{ path: at, message: `is “${path}”; paths of this plugin must lie below ${routePrefixOf(pluginId)}` }]

function checkFormatPaths({ prefix, mistaken = [] }: HttpErrorFormat, pluginId: string): readonly Problem[] {
  return [
    ...checkOwnPath('/prefix', prefix, pluginId),
    ...mistaken.flatMap((path, index) => checkOwnPath(`/mistaken/${index}`, path, pluginId)),
  ]
}

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

function checkUserDataNames(data: UserData, plugin: NamedPlugin, collections: readonly NamedCollection[]): readonly Problem[] {
  const own = new Set(collections.map(({ name }) => name))
  const isEarlier = (plugin.manifest?.renamedFrom ?? []).some((id) => checkId(data.id, id, '.').length === 0)
  return [
    ...(isEarlier ? [] : checkId(data.id, plugin.id, '.')),
    ...data.collections.flatMap((name, index) =>
      own.has(name) ? [] : [{ path: `/collections/${index}`, message: `names “${name}”, which is not a collection of this plugin` }],
    ),
  ]
}

/**
 * A line for each of a third party's collections that carries neither its id nor one that it had
 * before. A plugin's own are `<plugin id in snake_case>.<plural>`.
 */
export function foreignCollectionLines(plugin: NamedPlugin, names: readonly string[]): readonly string[] {
  if (plugin.builtIn) return []
  const prefix = `${snakeCaseOf(plugin.id)}.`
  const prefixes = idsOf(plugin).map((id) => `${snakeCaseOf(id)}.`)
  return names
    .filter((name) => !prefixes.some((own) => name.startsWith(own)))
    .map((name) => {
      const mended = `${prefix}${name.slice(name.lastIndexOf('.') + 1)}`
      return `it declares the collection “${name}”; names of this plugin's collections must begin with “${prefix}”: “${mended}”`
    })
}
