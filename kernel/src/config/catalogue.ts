import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { JsonValue, Problem } from '@agent-service/sdk'

const largest = 8 * 1024 * 1024

/** The catalogue of brands and models, as rules get it. */
export interface Catalogue {
  readonly catalogue: Readonly<Record<string, JsonValue>>
  readonly problems: readonly Problem[]
}

/** Reads the JSON files of `{shared_config_dir}/catalogue`. An absent folder is an empty catalogue; a file that is no JSON is a problem. */
export async function readCatalogue(sharedConfigDir: string): Promise<Catalogue> {
  const folder = join(sharedConfigDir, 'catalogue')
  const problems: Problem[] = []
  const entries = await Promise.all(
    (await jsonFiles(folder)).map(async (name): Promise<readonly [string, JsonValue][]> => {
      try {
        const text = await readFile(join(folder, name), 'utf8')
        if (text.length > largest) throw new Error(`has over ${largest} characters`)
        return [[basename(name, '.json'), JSON.parse(text) as JsonValue]]
      } catch (error) {
        problems.push({
          path: 'storage.shared_config_dir',
          message: `${join(folder, name)} cannot be used: ${error instanceof Error ? error.message : error}`,
        })
        return []
      }
    }),
  )
  return { catalogue: Object.fromEntries(entries.flat()), problems }
}

async function jsonFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}
