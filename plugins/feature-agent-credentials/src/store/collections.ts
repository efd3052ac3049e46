import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { credentialCollection } from './credential.js'
import { grantCollection } from './grant.js'
import { logCollection } from './log-entry.js'
import { totalsCollection } from './totals.js'
import { itemCollection, vaultCollection } from './vault.js'

/** In the order in which they are erased: without its grant no agent reaches a credential. */
export const collections: readonly CollectionDefinition[] = [
  grantCollection,
  credentialCollection,
  itemCollection,
  vaultCollection,
  logCollection,
  totalsCollection,
]
