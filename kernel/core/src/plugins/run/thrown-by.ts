import { fileURLToPath } from 'node:url'
import { liesWithin } from '../../disk/lies-within.js'
import type { DiscoveredPlugin } from '../discover/discovered-plugin.js'

/** The file in a line of a stack: `at name (file:///a/b.js:1:2)` or `at /a/b.js:1:2`. */
const frame = /^\s+at (?:.*\()?((?:file:\/\/)?\/[^()]+?):\d+:\d+\)?$/

/**
 * The plugin from elsewhere whose file threw an error, by the first line of its stack. For what runs
 * outside the work of a plugin, such as a listener of the process that it added.
 */
export function thrownBy(error: unknown, plugins: readonly DiscoveredPlugin[]): string | undefined {
  const file = throwingFile(error)
  return file === undefined ? undefined : plugins.find(({ builtIn, root }) => !builtIn && liesWithin(file, root))?.id
}

function throwingFile(error: unknown): string | undefined {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined
  const line = error.stack.split('\n').find((text) => /^\s+at /.test(text))
  const place = line && frame.exec(line)?.[1]
  return place?.startsWith('file:') === true ? fileURLToPath(place) : place
}
