import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { screenName } from '../../contracts/console-panel/built-screens.js'
import { pluginBuildError } from '../common/build-errors.js'

/** The modules of a screen, as absolute paths. A step of the set-up and a tab on the page of a user are screens too. */
export interface ScreenEntry {
  readonly name: string
  /** What is shown is its default export: `screens/<name>/<name>.tsx`. */
  readonly component: string
  /** What runs beside every screen, if there is such a module: `screens/<name>/start.ts`. */
  readonly start: string | undefined
}

/**
 * The screens in the `web` folder of a plugin, by name. @throws a `plugin_build_failed` error if there is none, for one without a
 * component, and for names that are not in kebab-case or mean two.
 */
export async function listScreens(pluginFolder: string): Promise<readonly ScreenEntry[]> {
  const screens = path.join(pluginFolder, 'web', 'screens')
  const fail = (reason: string) => pluginBuildError.create({ folder: pluginFolder, reason })
  const names = existsSync(screens) ? await foldersIn(screens) : []
  if (names.length === 0) throw fail('there is no screen to build: web/screens has a folder for each.')
  const entries = names.flatMap((name) => screensOf(path.join(screens, name), name, fail))
  const twice = entries.find(({ name }, index) => entries.findIndex((other) => other.name === name) < index)
  if (twice) throw fail(`two screens would be named “${twice.name}”; rename the folder web/screens/${twice.name}.`)
  return entries
}

const foldersIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

/** What is shown within the console's own pages lies with the screen that it goes with, and is named after it. */
const shownWithin = [
  { file: 'set-up-step.tsx', suffix: '-step' },
  { file: 'user-tab.tsx', suffix: '-tab' },
] as const

function screensOf(folder: string, name: string, fail: (reason: string) => Error): readonly ScreenEntry[] {
  const named = (entry: string): string => {
    if (screenName.test(entry)) return entry
    throw fail(
      `web/screens/${name}: “${entry}” is no name of a screen: write it in kebab-case, such as “dice-board”, in at most 60 characters.`,
    )
  }
  const component = path.join(folder, `${named(name)}.tsx`)
  if (!existsSync(component))
    throw fail(
      `web/screens/${name} has no ${name}.tsx. The component of the screen is its default export; what screens share goes beside web/screens.`,
    )
  const start = path.join(folder, 'start.ts')
  const within = shownWithin
    .filter(({ file }) => existsSync(path.join(folder, file)))
    .map(({ file, suffix }) => ({ name: named(`${name}${suffix}`), component: path.join(folder, file), start: undefined }))
  return [{ name, component, start: existsSync(start) ? start : undefined }, ...within]
}
