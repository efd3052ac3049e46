import { defineErrorFormat } from '@agent-service/sdk/contracts/http-error-format'
import { tusHeaders, tusVersion, tusVersionError } from './upload-headers.js'
import { uploadsPath } from './upload-routes.js'

/** Every answer of the protocol names its version, refusals of the host too; one that refuses a version names those spoken. */
export const uploadErrorFormat = defineErrorFormat({
  prefix: uploadsPath,
  format: ({ code }) => ({
    members: {},
    headers: { ...tusHeaders, ...(code === tusVersionError.code && { 'tus-version': tusVersion }) },
  }),
})
