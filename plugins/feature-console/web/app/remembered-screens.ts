import { recall, remember } from '@agent-service/sdk/web'
import { matchPath } from '@agent-service/sdk/web/host'
import { type ModuleFiles, preload } from './load-module.js'
import type { Panel } from './panel.js'

/** The files of a screen as this browser last heard of them. */
interface Remembered {
  readonly routes: readonly string[]
  readonly files: ModuleFiles
  readonly start: ModuleFiles | null
}

const key = 'screens'

/** Keeps which files screens are made of, for the next time that the console is opened. */
export function rememberScreens(panels: readonly Panel[]): void {
  const screens = panels.flatMap(({ content, page_routes: routes }): readonly Remembered[] =>
    content.kind === 'screen' ? [{ routes, files: filesOf(content), start: content.start && filesOf(content.start) }] : [],
  )
  remember(key, JSON.stringify(screens))
}

const filesOf = ({ module, styles, imports, kit }: ModuleFiles): ModuleFiles => ({ module, styles, imports, kit })

/**
 * Asks for the files of the screen of a path, and of what runs beside it, before the service has said which screens there are. Files of
 * an earlier build do not come, and are not missed.
 */
export function preloadRemembered(path: string): void {
  try {
    for (const { routes, files, start } of JSON.parse(recall(key) ?? '[]') as readonly Remembered[]) {
      if (routes.some((route) => matchPath(route, path))) preload(files)
      if (start !== null) preload(start)
    }
  } catch {
    // What another version of the console has kept: it is written anew when the list is read.
    remember(key, undefined)
  }
}
