import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRecordings, type Recording, type Recordings } from '@agent-service/sdk/testing'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The recordings of real providers: `FIXTURES_DIR` is absolute or relative to the repository's root. */
export const openProviderRecordings = (fixtures = '../shared/fixtures'): Recordings =>
  openRecordings(path.join(path.resolve(root, fixtures), 'providers'))

/** The recordings of the completions protocol, of whichever brand. */
export const completionsRecordings = (library: Recordings): readonly Recording[] =>
  ['openai-chat', 'openai-compat'].flatMap((place) => library.below(place)).filter(({ name }) => !name.includes('xai-responses'))
