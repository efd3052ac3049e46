import { isProblem } from '../api/problem.js'
import { readBytes } from './read-file.js'

/** What lies beside a page may be as large, in all and each, and as many. */
const maxFiles = 60
const maxBytes = 3_000_000
const maxAllBytes = 8_000_000
const maxName = 500

/** A file beside a page, as base64; without content if there is none to be had. */
export type FileBeside = readonly [name: string, content: string | null]

/** Whether a name leads to the folder of the page or below, and nowhere else. */
export const isBeside = (name: string): boolean =>
  name.length <= maxName && !/[\\\p{Cc}]/u.test(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/**
 * Reads the files that a page names, each as the person may read it, until there are too many. What
 * is missing is told with the names.
 */
export function createBesideReader(path: string, signal: AbortSignal) {
  const folder = path.slice(0, path.lastIndexOf('/'))
  const missing: string[] = []
  let files = 0
  let bytes = 0
  const read = async (name: string): Promise<FileBeside> => {
    files += 1
    const room = Math.min(maxBytes, maxAllBytes - bytes)
    const content = isBeside(name) && files <= maxFiles && room > 0 ? await contentOf(`${folder}/${name}`, room, signal) : undefined
    if (content === undefined) missing.push(name)
    bytes += content?.length ?? 0
    return [name, content === undefined ? null : await base64Of(content)]
  }
  return {
    missing,
    /** One after the other, so that they never take more room together. */
    async readAll(names: readonly string[]): Promise<readonly FileBeside[]> {
      const found: FileBeside[] = []
      for (const name of names) found.push(await read(name))
      return found
    },
  }
}

async function contentOf(path: string, maxSize: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readBytes(path, maxSize, signal)
  } catch (error) {
    // Missing, forbidden, or no name that a file can have: the page is shown without it.
    if (isProblem(error) && error.code !== 'aborted') return undefined
    throw error
  }
}

function base64Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,?/, '')))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(new Blob([bytes]))
  })
}
