import type { BuiltPart, BuiltScreens } from '../../contracts/console-panel/built-screens.js'
import { kitPartOf } from './shared-modules.js'
import type { BuiltChunk, Bundle } from './vite.js'

/** Ends the name of the entry that runs beside every screen. */
export const startSuffix = '.start'

/** Which files each screen of a build is made of: the content of `screens.json`. Screens are in the order of their names. */
export function screensOf(bundle: Bundle): BuiltScreens {
  const entries = Object.values(bundle).filter((file): file is BuiltChunk => file.type === 'chunk' && file.isEntry)
  const starts = new Map(entries.filter(({ name }) => name.endsWith(startSuffix)).map((chunk) => [chunk.name, chunk]))
  const screens = entries
    .filter(({ name }) => !name.endsWith(startSuffix))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((chunk) => {
      const start = starts.get(`${chunk.name}${startSuffix}`)
      return [chunk.name, { ...partOf(chunk, bundle), ...(start && { start: partOf(start, bundle) }) }] as const
    })
  return { specVersion: 1, screens: Object.fromEntries(screens) }
}

function partOf(chunk: BuiltChunk, bundle: Bundle): BuiltPart {
  const all = [...loadedWith(chunk, bundle)]
  const kit = [...new Set(all.flatMap(({ imports }) => imports.flatMap((address) => kitPartOf(address) ?? [])))].sort()
  return {
    module: chunk.fileName,
    styles: [...new Set(all.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))],
    imports: all.filter((each) => each !== chunk).map(({ fileName }) => fileName),
    ...(kit.length > 0 && { kit }),
  }
}

/** A file with those that it imports, without what the console has. */
function loadedWith(chunk: BuiltChunk, bundle: Bundle, found = new Set<BuiltChunk>()): ReadonlySet<BuiltChunk> {
  if (found.has(chunk)) return found
  found.add(chunk)
  for (const name of chunk.imports) {
    const imported = bundle[name]
    if (imported?.type === 'chunk') loadedWith(imported, bundle, found)
  }
  return found
}
