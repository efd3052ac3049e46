import type { VaultField } from '@agent-service/sdk/contracts/vault-connector'
import { argon2d, argon2id } from 'hash-wasm'
import kdbxweb, { type Kdbx, type KdbxCredentials } from 'kdbxweb'
import type { Answer, Job, Work } from '../protocol.js'
import { checkXml } from './check-xml.js'
import { type Entries, readEntries } from './entries.js'
import { listEntries } from './list-entries.js'
import { type OpenDatabase, openDatabase } from './open-database.js'
import { invalid } from './problem.js'
import { writeEntry } from './write-entry.js'

/** Opens the file and does the job. @throws the errors of the contract. */
export async function runJob({ bytes, password, keyFile, limits, derivedKey, job }: Work): Promise<Exclude<Answer, { failure: unknown }>> {
  const credentials = await readCredentials(password, keyFile)
  const database = await openDatabase(bytes, { credentials, limits, derivedKey })
  if (job.kind === 'write') return write(database, job, { credentials, limits })
  const entries = readEntries(database)
  return { outcome: answer(job, { database, entries }), derivedKey: database.derivedKey }
}

async function readCredentials(password: string | undefined, keyFile: Uint8Array | undefined): Promise<KdbxCredentials> {
  if (keyFile?.[0] === 0x3c) checkXml(Buffer.from(keyFile).toString('utf8'))
  const secret = password === undefined ? null : kdbxweb.ProtectedValue.fromString(password)
  const credentials = new kdbxweb.Credentials(secret, keyFile === undefined ? undefined : Uint8Array.from(keyFile))
  try {
    await credentials.ready
  } catch {
    // What the library says may quote the key file.
    throw invalid('the key file of the connection is damaged')
  }
  return credentials
}

function answer(
  job: Exclude<Job, { kind: 'write' }>,
  { database, entries }: { readonly database: OpenDatabase; readonly entries: Entries },
) {
  if (job.kind === 'test') return { account: (database.kdbx.meta.name ?? '').slice(0, 200) || 'KeePass database' }
  if (job.kind === 'list') return listEntries(entries, job.query)
  const placed = entries.get(job.id)
  const fields = entries.fields(placed).map(({ name, value, secret }) => ({ name, value, secret }))
  return { item: entries.itemWithRevision(placed), fields }
}

/** Nothing is given back that does not open again with what was written: the file holds all of a person's passwords. */
async function write(
  database: OpenDatabase,
  { item }: Extract<Job, { kind: 'write' }>,
  opening: Pick<Work, 'limits'> & { credentials: KdbxCredentials },
) {
  const id = writeEntry(database.kdbx, readEntries(database), item)
  const bytes = await save(database.kdbx)
  const saved = await openDatabase(bytes, opening)
  const entries = readEntries(saved)
  const placed = entries.get(id)
  checkFields(entries.fields(placed), item.fields)
  return { outcome: { item: entries.itemWithRevision(placed), bytes }, derivedKey: saved.derivedKey }
}

/** The parameters of the key derivation stay; its salt and the other random parts are new. */
async function save(kdbx: Kdbx): Promise<Uint8Array> {
  kdbxweb.CryptoEngine.setArgon2Impl(async (password, salt, memorySize, iterations, hashLength, parallelism, type) => {
    const hash = type === kdbxweb.CryptoEngine.Argon2TypeArgon2d ? argon2d : argon2id
    const options = { salt: new Uint8Array(salt), memorySize, iterations, hashLength, parallelism, outputType: 'binary' } as const
    return Uint8Array.from(await hash({ password: new Uint8Array(password), ...options })).buffer
  })
  return new Uint8Array(await kdbx.save())
}

/** XML has no place for some characters. Empty standard fields are not shown. */
function checkFields(saved: readonly VaultField[], wanted: readonly VaultField[]): void {
  const values = new Map(saved.map(({ name, value }) => [name, value]))
  if (wanted.some(({ name, value }) => (values.get(name) ?? '') !== value))
    throw invalid('a field has characters that its format cannot hold')
}
