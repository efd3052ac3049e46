import { createSystemClock } from '@agent-service/kernel-core/clock'
import { quietLog } from '@agent-service/kernel-core/database/testing'
import { createPlainQuotas } from '@agent-service/kernel-core/quotas/testing'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { type PathOfDescriptor, pathOfDescriptor } from '../disk/index.js'
import { createStoredBytes } from '../stored-bytes.js'
import { createUserFiles } from '../user-files.js'

/** The files of users below a folder, without a limit of bytes. */
export function filesWithoutLimit(usersFolder: string, locate: PathOfDescriptor = pathOfDescriptor): UserFiles {
  const clock = createSystemClock()
  const stored = createStoredBytes({ usersFolder, max: undefined, quotas: createPlainQuotas(), clock, log: quietLog })
  return createUserFiles({ usersFolder, stored, now: () => clock.now(), pathOfDescriptor: locate })
}
