import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@agent-service/sdk'
import { openRecordings, type Recording, type Recordings } from '@agent-service/sdk/testing'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * The recordings of real providers: `FIXTURES_DIR` is absolute or relative to the repository's
 * root.
 */
export const openProviderRecordings = (fixtures = '../shared/fixtures'): Recordings =>
  openRecordings(path.join(path.resolve(root, fixtures), 'providers'))

/** The recordings of the completions protocol, of all brands. */
export const completionsRecordings = (library: Recordings): readonly Recording[] =>
  ['openai-chat', 'openai-compat', 'azure-openai', 'copilot'].flatMap((place) => library.below(place)).filter(isOfCompletions)

/** By the address, else by the shape of what was answered. */
function isOfCompletions({ name, url, documents }: Recording): boolean {
  if (name.includes('xai-responses') || url?.includes('/responses')) return false
  const first = documents[0] as { readonly type?: string; readonly output?: unknown }
  return !Array.isArray(first.output) && first.type?.startsWith('response.') !== true
}

interface Brand {
  readonly id: string
  readonly quirks: JsonObject
}
const { brands } = JSON.parse(readFileSync(path.join(root, 'resources/catalogue/brands.json'), 'utf8')) as {
  readonly brands: readonly Brand[]
}

const folders: Readonly<Record<string, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'azure-openai': 'azure',
  copilot: 'github-copilot',
  moonshot: 'moonshotai',
  together: 'togetherai',
  'xai-responses': 'xai',
}

/** The brand of a recording, by its folder. */
export function brandOf(recordingName: string): string {
  const place = path.dirname(recordingName).replace('openai-compat/', '')
  return folders[place] ?? place
}

/** The catalogue's entry of a brand. */
export const brandQuirks = (id: string): JsonObject => {
  const brand = brands.find((candidate) => candidate.id === id)
  if (!brand) throw new Error(`The catalogue has no brand “${id}”.`)
  return brand.quirks
}

/** The catalogue's entry of the brand of a recording. */
export const quirksOf = (recordingName: string): JsonObject => brandQuirks(brandOf(recordingName))
