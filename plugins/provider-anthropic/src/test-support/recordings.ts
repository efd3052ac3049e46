import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRecordings, type Recording, type Recordings } from '@agent-service/sdk/testing'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * The recordings of real providers: `FIXTURES_DIR` is absolute or relative to the repository's
 * root.
 */
export const openProviderRecordings = (fixtures = '../shared/fixtures'): Recordings =>
  openRecordings(path.join(path.resolve(root, fixtures), 'providers'))

/** The recordings of the messages protocol. */
export const messagesRecordings = (library: Recordings): readonly Recording[] => library.below('anthropic-messages')
