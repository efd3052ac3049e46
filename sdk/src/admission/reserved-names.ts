import { cliCommands } from '../contracts/cli-command/point.js'
import type { Problem } from '../core/errors.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import { builtInCommands, builtInPlugins, kernelCommands } from './built-in-names.js'

/** The ids of the plugins that are part of the service. */
export const reservedIds: readonly string[] = builtInPlugins

/** The first words of commands that belong to the service and its plugins. */
export const reservedCommandWords: readonly string[] = [...kernelCommands, ...Object.keys(builtInCommands)]

/**
 * Why a third party's plugin may not have this id: it is a built-in plugin's, the word under which
 * one keeps its data (`agents` of `feature-agents`), or the kernel's. `undefined` if it may.
 */
export function reservedIdLine(id: string, builtIns: readonly string[] = builtInPlugins): string | undefined {
  if (id === 'kernel') return 'the id “kernel” belongs to the service itself; give the plugin another id'
  const owner = builtIns.find((builtIn) => builtIn === id) ?? builtIns.find((builtIn) => wordOf(builtIn) === id)
  return owner && `the id “${id}” belongs to the built-in plugin “${owner}”; give the plugin another id`
}

/** Why a third party's plugin may not take over one of the ids that it lists in `renamedFrom`. */
export function reservedEarlierIdLine(
  { renamedFrom = [] }: Pick<PluginManifest, 'renamedFrom'>,
  builtIns: readonly string[] = builtInPlugins,
): string | undefined {
  const earlier = renamedFrom.find((id) => reservedIdLine(id, builtIns) !== undefined)
  return earlier && `“renamedFrom” lists “${earlier}”, which is kept for a built-in plugin; only ids of third parties can be taken over`
}

/** The prefix of a built-in plugin's collections and jobs. */
const wordOf = (builtIn: string): string => builtIn.slice(builtIn.indexOf('-') + 1)

/**
 * What a contribution claims for its plugin alone, beside its key: the first word of a command, so
 * that no plugin adds to the commands of another one. `undefined` if that is nothing.
 */
export const claimedWordOf = (point: string, key: string): string | undefined =>
  point === cliCommands.id ? key.split(' ', 1)[0] : undefined

/** The first word of a third party's command must not be one of the service. */
export function checkCommandName(name: string): readonly Problem[] {
  const [word = ''] = name.split(' ')
  const owner = kernelCommands.includes(word) ? 'of agent-service itself' : ownerOf(word)
  return owner === undefined
    ? []
    : [{ path: '/name', message: `begins with “${word}”, which is a command ${owner}; use another first word` }]
}

function ownerOf(word: string): string | undefined {
  const plugin = Object.hasOwn(builtInCommands, word) ? builtInCommands[word] : undefined
  return plugin === undefined ? undefined : `of the built-in plugin “${plugin}”`
}
