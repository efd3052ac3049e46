import type { OpenUserFile, UserFolder } from '@agent-service/sdk/services/user-files'
import { fileNotSentError } from '../common/errors.js'
import { maxKeptBytes, maxKeptFiles, orphanMs } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { OpenSession } from '../sessions/open-session.js'
import { type Delivery, type DeliveryFile, deliveryCollection } from '../store/delivery.js'

/** Where the contents of files wait that are to be sent; no process of an agent reaches it. */
async function folderOf({ accounts, files }: Pick<ChannelParts, 'accounts' | 'files'>, userId: string): Promise<UserFolder | undefined> {
  const account = await accounts.get(userId)
  return account && files.folder({ handle: account.handle }, { subsystem: 'channels', path: 'outbox' })
}

/**
 * Keeps the content of a file as it is now until its delivery is sent, whatever becomes of the file.
 * Under the id of the delivery: a second time takes the place of the first. It counts as the user's files.
 * Resolves with its size. @throws `file_not_sent` while too much waits, `quota_exceeded`,
 * `storage_full`, `file_too_large`, the signal's reason.
 */
export async function keepCopy(
  parts: ChannelParts,
  of: {
    readonly id: string
    readonly userId: string
    readonly content: OpenUserFile
    readonly maxBytes: number
    readonly signal: AbortSignal
  },
): Promise<number> {
  const { id, userId, content, maxBytes, signal } = of
  const folder = await folderOf(parts, userId)
  if (!folder) throw fileNotSentError.create({ reason: 'The account of this chat is gone.' })
  await makeRoom(parts, { userId, folder, bytes: content.size })
  const options = { maximumBytes: maxBytes, expectedBytes: content.size, signal }
  return (await folder.write(id, content.stream(), options)).file.size
}

/** Drops the oldest contents whose deliveries are settled, as far as a new one needs it. */
async function makeRoom(
  parts: ChannelParts,
  { userId, folder, bytes }: { readonly userId: string; readonly folder: UserFolder; readonly bytes: number },
): Promise<void> {
  const kept = (
    await parts.database.collection(deliveryCollection).query({ index: 'by_kept', equals: [userId], limit: maxKeptFiles })
  ).items.map((delivery) => ({ delivery, size: delivery.file?.size ?? 0 }))
  await sweep(parts, folder, new Set(kept.map(({ delivery }) => delivery.id)))
  const settled = kept
    .filter(({ delivery }) => delivery.line === null)
    .sort((one, other) => ((one.delivery.settled_at ?? '') < (other.delivery.settled_at ?? '') ? -1 : 1))
  let count = kept.length
  let total = kept.reduce((sum, { size }) => sum + size, 0)
  while (count >= maxKeptFiles || total + bytes > maxKeptBytes) {
    const oldest = settled.shift()
    if (!oldest) throw fileNotSentError.create({ reason: 'Too many files wait to be sent already. Try again later.' })
    await dropCopy(parts, oldest.delivery)
    count -= 1
    total -= oldest.size
  }
}

/** Removes what a crash has left: contents without a delivery that needs them. */
async function sweep({ clock }: Pick<ChannelParts, 'clock'>, folder: UserFolder, needed: ReadonlySet<string>): Promise<void> {
  const page = await folder.list('', { limit: maxKeptFiles * 4 })
  for (const { path, modifiedAt } of page?.items ?? [])
    if (!needed.has(path) && modifiedAt < clock.now() - orphanMs) await folder.remove(path)
}

/** The content of the file of a delivery is needed no longer; the delivery stays. */
async function dropCopy(parts: ChannelParts, { id, keeps }: Delivery): Promise<void> {
  const isDropped = await parts.database.transaction(async (transaction) => {
    const stored = await transaction.get(deliveryCollection, id)
    // It is to be sent again meanwhile.
    if (stored && stored.line !== null) return false
    if (stored) transaction.put(deliveryCollection, { ...stored, keeps: null })
    return true
  })
  if (!isDropped) throw fileNotSentError.create({ reason: 'Too many files wait to be sent already. Try again later.' })
  await removeCopy(parts, { id, keeps })
}

/** Removes the content of a file whose delivery needs it no longer. What cannot be removed is removed later. */
export async function removeCopy(parts: ChannelParts, { id, keeps }: Pick<Delivery, 'id' | 'keeps'>): Promise<void> {
  if (keeps === null) return
  try {
    await (await folderOf(parts, keeps))?.remove(id)
  } catch (error) {
    parts.log.warn('The content of a file that was sent could not be removed; it is removed with a later one.', { error })
  }
}

/** The file of a delivery, opened: close it. Or why it can never be sent. */
export type AttachedFile =
  | { readonly about: DeliveryFile; readonly content: OpenUserFile }
  | { readonly failure: NonNullable<Delivery['failure']> }

/** Opens what goes with a delivery; `undefined` if nothing does. */
export async function openAttached(parts: ChannelParts, { channel }: OpenSession, delivery: Delivery): Promise<AttachedFile | undefined> {
  const { id, file: about, keeps } = delivery
  if (about === null) return undefined
  const maxBytes = channel.supports.attachmentsOut ? (channel.limits.attachments?.maxBytes ?? 0) : 0
  if (about.size > maxBytes) return failed('channel_rejected', `${channel.title} takes no file of this size any more.`)
  const content = keeps === null ? undefined : await (await folderOf(parts, keeps))?.open(id)
  if (content?.size === about.size) return { about, content }
  await content?.close()
  return failed(
    'channel_file_gone',
    'The file that was to be sent is no longer what it was, or no longer there. Have the agent send it again.',
  )
}

const failed = (code: string, message: string): AttachedFile => ({ failure: { code, message } })
