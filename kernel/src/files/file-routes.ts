import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Quotas } from '@agent-service/sdk/services/quotas'
import { createFileChangeRoutes } from './change-routes.js'
import { createFileContentRoute } from './content-route.js'
import type { FileAccess } from './file-access.js'
import { createFileListRoute } from './list-route.js'
import { createFileUsageRoute } from './usage-route.js'
import type { UserFiles } from './user-files.js'

export { checkedUserPath, contentPath, userPathSchema } from './file-schemas.js'

/** The files of the caller. */
export function createFileRoutes(dependencies: {
  readonly files: UserFiles
  readonly access: FileAccess
  readonly quotas: Quotas
}): readonly HttpRoute[] {
  const { files, access, quotas } = dependencies
  // Fewer than the calls that a user may have under way.
  const waiting = { maxPerHolder: 32, maxTotal: 1_000, maxMs: 10_000 }
  // A listing reads all names of its folder, of which there may be a million; a download keeps its file open for as long as the client reads.
  const listings = quotas.limit({ name: 'folder-listings', counts: 'listings of folders', maxPerHolder: 4, maxTotal: 64, waiting })
  const downloads = quotas.limit({ name: 'file-downloads', counts: 'downloads', maxPerHolder: 32, maxTotal: 1_024, waiting })
  return [
    createFileListRoute({ files, access, listings }),
    createFileContentRoute({ access, downloads }),
    createFileUsageRoute({ files }),
    ...createFileChangeRoutes({ files, access }),
  ]
}
