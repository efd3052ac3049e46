import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { Header, Pax } from 'tar'
import { type BackupHeader, lineOf, names } from '../archive/layout.js'
import { type ArchiveEnd, blockSize, endMark, endMarkSize, paddingOf, parseEndMark } from '../archive/tar-blocks.js'

/** An entry of a tar file, as someone may write it who knows the format. */
export interface ForgedEntry {
  readonly path: string
  readonly content: Buffer
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO'
}

/** What someone without the secret can do to a backup whose entries they have read. */
export interface Forgery {
  /** Between the head and the manifest, with the head as the first. */
  readonly entries: readonly ForgedEntry[]
  /** What comes after them in place of a fitting manifest and summary. */
  readonly tail?: (fitting: { readonly manifest: ForgedEntry; readonly summary: ForgedEntry }) => readonly ForgedEntry[]
  readonly end?: (fitting: Omit<ArchiveEnd, 'proof'>) => ArchiveEnd
}

const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** The entries of a backup with short names, the last two being its manifest and summary. */
export async function entriesOfArchive(file: string): Promise<{ readonly entries: readonly ForgedEntry[]; readonly end: ArchiveEnd }> {
  const whole = await readFile(file)
  const entries: ForgedEntry[] = []
  for (let at = 0; at < whole.length - endMarkSize; ) {
    const { path = '', size = 0, type } = new Header(whole, at)
    const content = whole.subarray(at + blockSize, at + blockSize + size)
    entries.push({ path, content, type: type === 'Directory' ? 'Directory' : 'File' })
    at += blockSize + size + paddingOf(size)
  }
  const end = parseEndMark(whole.subarray(-endMarkSize))
  if (end === undefined) throw new Error(`${file} is no backup.`)
  return { entries, end }
}

/** Writes a backup with the given entries in which every digest is right. */
export async function forgeArchive(file: string, { entries, tail, end: ending }: Forgery): Promise<void> {
  const blocks: Buffer[] = []
  const lines = entries.map((entry) => {
    const isFolder = entry.type === 'Directory'
    return lineOf({ path: entry.path, bytes: entry.content.length, sha256: isFolder ? '' : digestOf(entry.content) })
  })
  const add = ({ path, content, type = 'File' }: ForgedEntry): void => {
    const data = { path, type, size: content.length, mode: 0o600, mtime: new Date(0), linkpath: type.endsWith('Link') ? '/etc' : '' }
    const block = Buffer.alloc(blockSize)
    if (new Header(data).encode(block)) blocks.push(new Pax({ path }).encode())
    blocks.push(block, content, Buffer.alloc(paddingOf(content.length)))
  }
  for (const entry of entries) add(entry)
  const manifest: ForgedEntry = { path: names.manifest, content: Buffer.from(lines.join('')) }
  const rest = { revision: 0, collections: [], files: 1, changing: 0, left_out: 0, secrets_left_out: [], not_included: [] }
  const { format, created_at, service_version, driver } = JSON.parse(entries[0]?.content.toString() ?? '{}') as Partial<BackupHeader>
  const said = { format, created_at, service_version, driver, ...rest, manifest_sha256: digestOf(manifest.content) }
  const summary: ForgedEntry = { path: names.summary, content: Buffer.from(JSON.stringify(said)) }
  let summaryAt = 0
  for (const entry of tail?.({ manifest, summary }) ?? [manifest, summary]) {
    if (entry.path === names.summary) summaryAt = Buffer.concat(blocks).length
    add(entry)
  }
  const body = Buffer.concat(blocks)
  const end = { sha256: digestOf(body), summaryAt }
  await writeFile(file, Buffer.concat([body, endMark(ending?.(end) ?? end)]))
}
