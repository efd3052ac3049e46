import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { checkpointCollection, cursorCollection, passCollection, queueCollection } from './pass-records.js'
import { promptListCollection } from './prompt-list.js'
import { memoryCollection, stateCollection, termCollection, tombstoneCollection } from './records.js'
import { vectorCollection } from './vectors.js'

/** In the order in which they are erased: nothing begins new work over what is half gone. */
export const collections: readonly CollectionDefinition[] = [
  queueCollection,
  cursorCollection,
  passCollection,
  checkpointCollection,
  memoryCollection,
  vectorCollection,
  termCollection,
  tombstoneCollection,
  promptListCollection,
  stateCollection,
]
