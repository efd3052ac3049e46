import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { createFileChangeRoutes } from './change-routes.js'
import { createFileContentRoute } from './content-route.js'
import { createFileListRoute } from './list-route.js'
import { createFileUsageRoute } from './usage-route.js'
import type { UserFiles } from './user-files.js'

export { checkedUserPath, contentPath, userPathSchema } from './file-schemas.js'

/** The files of the caller. */
export const createFileRoutes = (dependencies: { readonly files: UserFiles }): readonly HttpRoute[] => [
  createFileListRoute(dependencies),
  createFileContentRoute(dependencies),
  createFileUsageRoute(dependencies),
  ...createFileChangeRoutes(dependencies),
]
