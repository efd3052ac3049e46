import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineError } from '@agent-service/sdk'

/** The folder for temporary files cannot be written, as in containers whose root is read-only. */
export const noTemporaryFolderError = defineError<{ readonly folder: string; readonly reason: string }>({
  code: 'no_temporary_folder',
  status: 500,
  title: 'No folder for temporary files',
  message: ({ folder, reason }) =>
    `A copy is examined, for which a folder in ${folder} is needed; it cannot be made (${reason}). Let this user write there (in a container with a read-only root, mount a folder at ${folder}), or set TMPDIR to a folder that it can write.`,
})

/** Makes a temporary folder of this user alone for what is examined. @throws `no_temporary_folder` */
export async function makeExaminedFolder(): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), 'agent-service-doctor-')).catch((cause: NodeJS.ErrnoException) => {
    throw noTemporaryFolderError.create({ folder: tmpdir(), reason: cause.code ?? cause.message }, { cause })
  })
}
