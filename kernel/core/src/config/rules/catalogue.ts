import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type JsonValue, type Problem, ServiceError } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { createResources } from '../../resources/index.js'

/** The catalogue of brands and models for rules, with the problems of its files. */
export interface CatalogueReading {
  readonly catalogue: Readonly<Record<string, JsonValue>>
  readonly problems: readonly Problem[]
}

const section = 'catalogue'
const path = 'storage.shared_config_dir'

/**
 * Reads the JSON files of `{shared_config_dir}/catalogue` like the running service: links out of
 * the shared folder and entries that are not files count as missing. A missing folder is an empty
 * catalogue. A file that is not JSON is a problem, whose message shows nothing of its content.
 */
export async function readCatalogue(sharedConfigDir: string): Promise<CatalogueReading> {
  const folder = join(sharedConfigDir, section)
  const resources = createResources({ folder: sharedConfigDir })
  const problems: Problem[] = []
  const refuse = (place: string, reason: string): void => void problems.push({ path, message: `${place} cannot be used: ${reason}` })
  const names = await jsonFiles(folder).catch((error: unknown) => {
    refuse(folder, reasonOf(error))
    return []
  })
  const entries = await Promise.all(
    names.map(async (name): Promise<readonly [string, JsonValue][]> => {
      try {
        const text = await resources.read(`${section}/${name}`)
        return [[basename(name, '.json'), JSON.parse(text) as JsonValue]]
      } catch (error) {
        if (!notFoundError.isInstance(error)) refuse(join(folder, name), error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error))
        return []
      }
    }),
  )
  return { catalogue: Object.fromEntries(entries.flat()), problems }
}

const reasonOf = (error: unknown): string => (error instanceof Error || ServiceError.isInstance(error) ? error.message : String(error))

async function jsonFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}
