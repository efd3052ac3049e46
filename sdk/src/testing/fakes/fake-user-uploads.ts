import { createHash } from 'node:crypto'
import {
  type UserFileConditions,
  type UserFolder,
  type UserUpload,
  type UserUploads,
  userUploadChecksumError,
  userUploadOffsetError,
  userUploadTooLongError,
} from '../../services/user-files.js'

/** An upload in memory. */
export interface FakeUpload {
  readonly root: string
  readonly conditions: UserFileConditions
  state: UserUpload
  bytes: Uint8Array
}

/** Keeps uploads in memory; they never expire. */
export function createFakeUploads(all: Map<string, FakeUpload>, root: string, folder: UserFolder): UserUploads {
  const own = (id: string): FakeUpload | undefined => (all.get(id)?.root === root ? all.get(id) : undefined)
  const isOpen = ({ state: { offset, size } }: FakeUpload): boolean => offset < size
  return {
    async begin(path, { size, note = '', ...conditions }) {
      const id = createHash('md5').update(`${root} ${all.size}`).digest('hex')
      const upload = { root, conditions, bytes: new Uint8Array(), state: { id, path, size, note, offset: 0, expiresAt: 0 } }
      if (size === 0) await folder.write(path, upload.bytes, conditions)
      all.set(id, upload)
      return upload.state
    },
    find: async (id) => own(id)?.state,
    list: async () => [...all.values()].filter((each) => each.root === root && isOpen(each)).map(({ state }) => state),
    async append(id, content, { offset, checksum, signal }) {
      const upload = own(id)
      if (!upload) return undefined
      const { path, size, offset: expected } = upload.state
      if (offset !== expected) throw userUploadOffsetError.create({ given: offset, expected })
      let bytes = upload.bytes
      for await (const piece of content) {
        signal?.throwIfAborted()
        bytes = Uint8Array.from([...bytes, ...piece])
        if (bytes.length > size) throw userUploadTooLongError.create({ size })
      }
      const digest = checksum && createHash(checksum.algorithm).update(bytes.slice(offset)).digest('base64')
      if (checksum && digest !== checksum.digest) throw userUploadChecksumError.create({ algorithm: checksum.algorithm })
      if (bytes.length === size) await folder.write(path, bytes, upload.conditions)
      upload.bytes = bytes
      upload.state = { ...upload.state, offset: bytes.length }
      return upload.state
    },
    async drop(id) {
      const upload = own(id)
      return upload !== undefined && all.delete(id) && isOpen(upload)
    },
  }
}
