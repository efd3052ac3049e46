import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { type VaultFile, vaultConflictError } from '@agent-service/sdk/contracts/vault-connector'

const versionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A file on the disk, as the service gives it to a connector. `beforeWrite` runs before the version is compared. */
export function createDiskFile(
  file: string,
  { beforeWrite = async () => undefined }: { readonly beforeWrite?: () => Promise<unknown> } = {},
): VaultFile {
  return {
    async read() {
      const bytes = new Uint8Array(await readFile(file))
      return { bytes, version: versionOf(bytes) }
    },
    async write(bytes, { version }) {
      await beforeWrite()
      if (versionOf(await readFile(file)) !== version) throw vaultConflictError.create({ what: 'The file' })
      await writeFile(file, bytes)
      return { version: versionOf(bytes) }
    },
  }
}

/** A file in memory that is only read. */
export const createMemoryFile = (bytes: Uint8Array): VaultFile => ({
  read: async () => ({ bytes: Uint8Array.from(bytes), version: versionOf(bytes) }),
  write: async () => {
    throw new Error('This file is only read.')
  },
})
