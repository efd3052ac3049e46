import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { defineError } from '../../core/errors.js'
import { type BuiltScreen, type BuiltScreens, builtScreensFile, checkBuiltScreens, filesOfScreen } from './built-screens.js'

/** The built folder of a panel lacks something, or what its `screens.json` says does not hold. */
export const builtScreensError = defineError<{ readonly place: string; readonly reason: string }>({
  code: 'built_screens_invalid',
  status: 500,
  title: 'Built screens not usable',
  message: ({ place, reason }) => `${place} ${reason}. Run the build of its plugin again (agent-service-plugin build).`,
})

const maxBytes = 1024 * 1024

/**
 * Reads what a built folder has. @throws `built_screens_invalid` for a folder without a sound `screens.json`, naming its
 * path. Files that it names are not looked at.
 */
export async function readBuiltScreens(folder: string): Promise<BuiltScreens> {
  const file = path.join(folder, builtScreensFile)
  const refuse = (reason: string, cause?: unknown): Error => builtScreensError.create({ place: file, reason }, { cause })
  const stats = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw refuse(cause.code === 'ENOENT' ? 'is missing' : `cannot be read (${cause.message})`, cause)
  })
  if (!stats.isFile() || stats.size > maxBytes) throw refuse(`is no file of at most ${maxBytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw refuse(`cannot be read (${cause instanceof Error ? cause.message : String(cause)})`, cause)
  }
  const problems = checkBuiltScreens(value)
  if (problems.length > 0) throw refuse(`is not valid: ${problems.map(({ path: at, message }) => `${at} ${message}`).join('; ')}`)
  return value as BuiltScreens
}

/**
 * Reads one screen of a built folder. @throws `built_screens_invalid` also for a screen that is not in it, and for files
 * of it that are missing.
 */
export async function readBuiltScreen(folder: string, name: string): Promise<BuiltScreen> {
  const { screens } = await readBuiltScreens(folder)
  const screen = Object.hasOwn(screens, name) ? screens[name] : undefined
  if (screen === undefined) {
    const names = Object.keys(screens).map((each) => `“${each}”`)
    const others = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
    throw builtScreensError.create({ place: path.join(folder, builtScreensFile), reason: `has no screen “${name}”; ${others}` })
  }
  const missing = await Promise.all(filesOfScreen(screen).map(async (file) => ((await isFile(path.join(folder, file))) ? [] : [file])))
  const [first, ...others] = missing.flat()
  if (first === undefined) return screen
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  throw builtScreensError.create({ place: folder, reason: `lacks ${first}${more}, which the screen “${name}” needs` })
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  )
