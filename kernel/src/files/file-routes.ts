import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { createFileChangeRoutes } from './change-routes.js'
import { createFileContentRoute } from './content-route.js'
import type { FileAccess } from './file-access.js'
import { createFileListRoute } from './list-route.js'
import type { UserFiles } from './user-files.js'

export { checkedUserPath, contentPath, userPathSchema } from './file-schemas.js'

/** The files of the caller. */
export const createFileRoutes = (dependencies: { readonly files: UserFiles; readonly access: FileAccess }): readonly HttpRoute[] => [
  createFileListRoute(dependencies),
  createFileContentRoute(dependencies),
  ...createFileChangeRoutes(dependencies),
]
