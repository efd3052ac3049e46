import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pluginBuildError } from '../common/build-errors.js'

/** The modules of a screen, as absolute paths. A step of the set-up and a tab on the page of a user are screens too. */
export interface ScreenEntry {
  readonly name: string
  /** What is shown is its default export: `screens/<name>/<name>.tsx`. */
  readonly component: string
  /** What runs beside every screen, if there is such a module: `screens/<name>/start.ts`. */
  readonly start: string | undefined
}

/** Names are parts of file names and of contributions. */
const screenName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** The screens in the `web` folder of a plugin, by name. @throws a `plugin_build_failed` error for one without a component. */
export async function listScreens(pluginFolder: string): Promise<readonly ScreenEntry[]> {
  const screens = path.join(pluginFolder, 'web', 'screens')
  if (!existsSync(screens)) throw pluginBuildError.create({ folder: pluginFolder, reason: 'there is no folder web/screens to build.' })
  const names = (await readdir(screens, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return names.sort().flatMap((name) => screensOf(pluginFolder, path.join(screens, name), name))
}

/** What is shown within the console's own pages lies with the screen that it goes with, and is named after it. */
const shownWithin = [
  { file: 'set-up-step.tsx', suffix: '-step' },
  { file: 'user-tab.tsx', suffix: '-tab' },
] as const

function screensOf(pluginFolder: string, folder: string, name: string): readonly ScreenEntry[] {
  const fail = (reason: string) => pluginBuildError.create({ folder: pluginFolder, reason })
  if (!screenName.test(name)) throw fail(`web/screens/${name} is no name of a screen: write it in kebab-case, such as “dice-board”.`)
  const component = path.join(folder, `${name}.tsx`)
  if (!existsSync(component))
    throw fail(
      `web/screens/${name} has no ${name}.tsx. The component of the screen is its default export; what screens share goes beside web/screens.`,
    )
  const start = path.join(folder, 'start.ts')
  const within = shownWithin
    .filter(({ file }) => existsSync(path.join(folder, file)))
    .map(({ file, suffix }) => ({ name: `${name}${suffix}`, component: path.join(folder, file), start: undefined }))
  return [{ name, component, start: existsSync(start) ? start : undefined }, ...within]
}
