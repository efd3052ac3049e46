import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from '@agent-service/sdk'
import {
  type BuiltScreen,
  builtScreensFile,
  type ConsolePanel,
  consolePanels,
  type PanelScreen,
  readBuiltScreen,
} from '@agent-service/sdk/contracts/console-panel'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'
import { ownPathOf } from './own-paths.js'

/** The screens that plugins have built. */
export interface PanelScreens {
  /** What the build says of a panel's screen; undefined, with a line in the log, if it cannot be shown. */
  read(panel: Contributed<ConsolePanel>): Promise<BuiltScreen | undefined>
  /** The built folders of a plugin that runs now, of screens that can be shown. */
  foldersOf(pluginId: string): Promise<readonly string[]>
}

interface ReadScreen {
  /** Of the file that was read: another build has another. */
  readonly version: string
  readonly screen: BuiltScreen
}

/**
 * Reads the screens of panels when they are asked for, and again after a build. What is wrong with one is
 * logged once: it names the plugin, the path and how to mend it.
 */
export function createPanelScreens(dependencies: {
  readonly contributions: Pick<Contributions, 'list'>
  readonly log: Logger
}): PanelScreens {
  const { contributions, log } = dependencies
  const kept = new Map<string, ReadScreen>()
  const reported = new Set<string>()

  const report = ({ key, pluginId }: Contributed<ConsolePanel>, reason: string): undefined => {
    const line = `The panel “${key}” of the plugin “${pluginId}” is not shown: ${reason}`
    if (!reported.has(line)) log.error(line, { panel: key, plugin: pluginId })
    reported.add(line)
  }

  const readKept = async ({ folder, screen }: PanelScreen): Promise<BuiltScreen> => {
    const place = path.join(folder, screen)
    const version = await versionOf(folder)
    const earlier = kept.get(place)
    if (version !== undefined && earlier?.version === version) return earlier.screen
    const read = await readBuiltScreen(folder, screen)
    if (version !== undefined) kept.set(place, { version, screen: read })
    return read
  }

  const read = async (panel: Contributed<ConsolePanel>): Promise<BuiltScreen | undefined> => {
    const { content } = panel.value
    if (content.kind !== 'screen') return undefined
    const taken = (content.routes ?? []).find((route) => ownPathOf(route) !== undefined)
    if (taken !== undefined)
      return report(
        panel,
        `it claims ${taken}, and ${ownPathOf(taken)} belongs to the console itself. Choose another path in its “routes”.`,
      )
    return readKept(content).catch((error: unknown) => report(panel, error instanceof Error ? error.message : String(error)))
  }

  return {
    read,
    async foldersOf(pluginId) {
      const own = contributions.list(consolePanels).filter((panel) => panel.pluginId === pluginId)
      const folders = await Promise.all(
        own.map(async (panel) =>
          (await read(panel)) !== undefined && panel.value.content.kind === 'screen' ? [panel.value.content.folder] : [],
        ),
      )
      return [...new Set(folders.flat())]
    },
  }
}

const versionOf = (folder: string): Promise<string | undefined> =>
  stat(path.join(folder, builtScreensFile)).then(
    ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
    () => undefined,
  )
