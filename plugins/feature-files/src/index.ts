import { definePlugin, type Plugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpErrorFormats } from '@agent-service/sdk/contracts/http-error-format'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { clockService } from '@agent-service/sdk/services/clock'
import { policyService } from '@agent-service/sdk/services/policy'
import { presignedUrlsService } from '@agent-service/sdk/services/presigned-urls'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { createBinRoutes } from './bin/bin-routes.js'
import { createDeleteRoute, createUploadRoute } from './change-routes.js'
import { panels } from './console-panels.js'
import { createDownloadRoute } from './content-route.js'
import { createFileAccess } from './file-access.js'
import { createFolderRoute, createMoveRoute } from './folder-routes.js'
import { createListRoute } from './list-route.js'
import { createPresignRoute } from './presign-route.js'
import { createChecksumRoute } from './tree/checksum-route.js'
import { createCopyRoute } from './tree/copy-route.js'
import { createSearchRoute } from './tree/search-route.js'
import { uploadErrorFormat } from './uploads/upload-errors.js'
import { createUploadRoutes } from './uploads/upload-routes.js'
import { createUsageRoute } from './usage-route.js'

// Fewer than the calls that a user may have in progress.
const waiting = { maxPerHolder: 32, maxTotal: 1_000, maxMs: 10_000 }

/** The files of users over HTTP, and the job that removes leftovers. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-files',
    apiVersion: 1,
    description: 'The files of users over HTTP: lists, search, downloads, uploads that resume, folders, copies, a bin, pre-signed URLs.',
    contributes: ['console.panel', 'http.error-format', 'http.route', 'scheduler.job'],
    routes: ['/api/files'],
    storage: { uses: ['files', 'workspaces'] },
    permissions: [
      {
        kind: 'files',
        targets: ['users/*/files', 'users/*/workspaces'],
        reason: 'Sends people their files, stores new ones, and removes what deletions and interrupted writes left behind.',
      },
    ],
  },
  setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const files = context.use(userFilesService)
    const presignedUrls = context.use(presignedUrlsService)
    const quotas = context.use(quotasService)
    const access = createFileAccess({ files, policies: context.use(policyService) })
    // A listing reads all names of its folder, of which there may be a million; a download keeps
    // its file open for as long as the client reads.
    const listings = quotas.limit({ name: 'folder-listings', counts: 'listings of folders', maxPerHolder: 4, maxTotal: 64, waiting })
    const downloads = quotas.limit({ name: 'file-downloads', counts: 'downloads', maxPerHolder: 32, maxTotal: 1_024, waiting })
    // Each reads a whole file, of any size.
    const checksums = quotas.limit({ name: 'file-checksums', counts: 'checksums of files', maxPerHolder: 1, maxTotal: 4, waiting })
    for (const route of [
      createListRoute({ access, listings }),
      createDownloadRoute({ access, downloads }),
      createUsageRoute({ files }),
      createUploadRoute({ access }),
      createDeleteRoute({ access }),
      createPresignRoute({ access, presignedUrls }),
      createFolderRoute({ access }),
      createMoveRoute({ access }),
      createCopyRoute({ access }),
      createSearchRoute({ access, listings }),
      createChecksumRoute({ access, checksums }),
      ...createUploadRoutes({ files, access }),
      ...createBinRoutes({ access, clock: context.use(clockService) }),
    ])
      context.contribute(httpRoutes, route)
    context.contribute(httpErrorFormats, uploadErrorFormat)
    context.contribute(schedulerJobs, {
      specVersion: 1,
      id: 'files.free-leftovers',
      title: 'Remove what interrupted writes and deletions of files left behind',
      everySeconds: 600,
      run: ({ signal }) => files.freeLeftovers({ signal }),
    })
  },
})
export default plugin
