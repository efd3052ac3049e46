import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import kdbxweb from 'kdbxweb'
import { systemLimits, userLimits } from './connector.js'
import type { Work } from './protocol.js'
import { errorOf, runWork } from './run-work.js'
import { createMemoryFile } from './test-support/disk-file.js'
import { documentOf, makeContainer } from './test-support/make-container.js'
import { addEntry, type DatabaseOptions, makeDatabase, testPassword } from './test-support/make-database.js'
import { connectionTo, createTestConnector, failureOf, never } from './test-support/test-connector.js'
import { createWorkThreads } from './work-threads.js'
import { maxDepth, maxElements } from './worker/check-xml.js'
import { failureOf as reportedBy } from './worker/problem.js'
import { runJob } from './worker/run-job.js'

/** The job of a list, without the thread. */
const workOf = (bytes: Uint8Array, password = testPassword): Work & { readonly job: { readonly kind: 'list' } } => ({
  bytes,
  password,
  limits: userLimits,
  job: { kind: 'list', query: { limit: 200 } },
})
/** What the thread does, without it. */
const runHere = (work: Work): Promise<unknown> =>
  runJob(work).catch((error: unknown) => {
    throw errorOf(reportedBy(error))
  })
const listIn = (bytes: Uint8Array, password?: string): Promise<unknown> => runHere(workOf(bytes, password))
const reasonOf = async (bytes: Uint8Array): Promise<string> => {
  const failure = await failureOf(listIn(bytes))
  expect(failure).to.have.property('code', 'vault_content_invalid')
  return failure.message
}

describe('a hostile KeePass database', () => {
  const costs: readonly (readonly [what: string, options: DatabaseOptions, reason: RegExp])[] = [
    ['64 GiB of memory', { memoryBytes: 64 * 2 ** 30 }, /asks for 67108864 KiB of memory, and 262144 KiB are permitted/],
    ['2⁴⁰ passes', { iterations: 2 ** 40 }, /1099511627776 passes/],
    ['2⁴⁰ rounds', { kind: 'aes', rounds: 100 }, /1099511627776 rounds, and 300000000/],
    ['2⁴⁰ rounds in version 3.1', { kind: 'version 3', rounds: 100 }, /1099511627776 rounds/],
  ]
  for (const [what, options, reason] of costs)
    it(`is refused before its key is derived when that asks for ${what}`, async () => {
      const bytes = await makeDatabase(options)
      const asked = options.rounds === undefined ? bytes : withRounds(bytes, 2n ** 40n)
      expect(await reasonOf(asked)).to.match(reason)
    })

  it('may cost an administrator more than a user', async () => {
    const work = workOf(await makeDatabase({ memoryBytes: 512 * 2 ** 20 }))
    expect(await failureOf(runHere(work))).to.have.property('code', 'vault_content_invalid')
    // The derivation runs, and gives another key than the cheap one with which the test wrote the file.
    const asked = await failureOf(runHere({ ...work, limits: { ...systemLimits, maxMemoryPassesKiB: 1 } }))
    expect(asked.message).to.match(/1 passes over 524288 KiB/)
  })

  it('is refused if the password does not open it', async () => {
    for (const kind of ['version 3', 'argon2id'] as const)
      expect(await failureOf(listIn(await makeDatabase({ kind }), 'other'))).to.deep.include({
        code: 'vault_unauthorized',
        details: { vault: 'The KeePass database', reason: 'wrong' },
      })
  })

  it('is never read when it is cut off or flipped anywhere', async () => {
    for (const kind of ['version 3', 'argon2id'] as const) {
      const bytes = await makeDatabase({
        kind,
        change: (kdbx) => void addEntry(kdbx, 'canary-title', { URL: 'x' }, { Password: 'canary-value' }),
      })
      for (let part = 0; part < 25; part += 1) {
        const place = Math.floor((bytes.length * part) / 25)
        const flipped = Uint8Array.from(bytes)
        flipped[place] = (flipped[place] ?? 0) ^ 0x10
        for (const hostile of [flipped, bytes.slice(0, place)]) {
          const failure = await failureOf(listIn(hostile)).catch((error: unknown) => {
            throw new Error(`${kind}, byte ${place} of ${bytes.length}: ${error}`)
          })
          expect(ServiceError.isInstance(failure), String(failure.stack)).to.equal(true)
          expect(failure.code).to.match(/^vault_(content_invalid|unauthorized)$/)
          expect(failure.message).not.to.match(/canary/)
        }
      }
    }
  })

  it('is refused if it is of another kind', async () => {
    for (const [bytes, reason] of [
      [Buffer.from(''), /not a KDBX file/],
      [Buffer.from('PK\u0003\u0004 something else altogether'), /not a KDBX file/],
      [Buffer.concat([Buffer.from('03d9a29a65fb4bb5', 'hex'), Buffer.alloc(200)]), /KeePass 1 file/],
      [Buffer.concat([Buffer.from('03d9a29a67fb4bb500000500', 'hex'), Buffer.alloc(200)]), /version 5\.0/],
    ] as const)
      expect(await reasonOf(bytes)).to.match(reason)
  })

  it('is refused if it grows without an end when it is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20))
    expect(await reasonOf(await makeContainer({ compressed: bomb }))).to.match(/too large when it is decompressed/)
    const attachment = gzipSync(Buffer.alloc(65 * 2 ** 20)).toString('base64')
    const meta = `<Binaries><Binary ID="0" Compressed="True">${attachment}</Binary></Binaries>`
    expect(await reasonOf(await makeContainer({ xml: documentOf('', meta) }))).to.match(/too large when it is decompressed/)
  })

  it('is refused with entities, a document type, or text that is not XML', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "&a;&a;&a;">]>`
    expect(await reasonOf(await makeContainer({ xml: bomb + documentOf('<Notes>&b;</Notes>') }))).to.match(/document type/)
    for (const xml of ['', 'canary', '<a>', documentOf('<Notes>&canary;</Notes><Entry>'), '<other/>'])
      expect(await reasonOf(await makeContainer({ xml }))).to.not.match(/canary/)
  })

  it('is refused with groups that are nested too deep, or with too many entries', async () => {
    const deep = maxDepth + 1
    expect(await reasonOf(await makeContainer({ xml: documentOf('<Group>'.repeat(deep) + '</Group>'.repeat(deep)) }))).to.match(/deep/)
    const entry = '<Entry><String><Key>Title</Key><Value>x</Value></String></Entry>'
    const many = await makeContainer({ xml: documentOf(entry.repeat(100_000 * Math.ceil(maxElements / 400_000) + 1)) })
    expect(await reasonOf(many)).to.match(/more than 400000 elements/)
  })

  it('fails to read entries that refer to each other without an end, too often, or to more than can be shown', async () => {
    const chain = async (count: number, text: (next: string) => string, last: string) => {
      const ids: string[] = []
      const bytes = await makeDatabase({
        change: (kdbx) => {
          let next = last
          for (let index = 0; index < count; index += 1) {
            const id = addEntry(kdbx, `e${index}`, {}, { Password: next })
            ids.push(id)
            next = text(`{REF:P@I:${id.toUpperCase()}}`)
          }
        },
      })
      return { bytes, id: ids.at(-1) ?? '' }
    }
    const long = 'x'.repeat(1_000)
    for (const [count, text, last, reason] of [
      [12, (next: string) => next, long, /refer to each other without/],
      [7, (next: string) => next.repeat(3), 'x'.repeat(10_000), /more text than can be shown/],
      [7, (next: string) => next.repeat(8), '', /refer to each other too often/],
    ] as const) {
      const { bytes, id } = await chain(count, text, last)
      const failure = await failureOf(runHere({ ...workOf(bytes), job: { kind: 'read', id } }))
      expect(failure.message).to.match(reason)
    }
  })

  it('ends the thread that opens it when the call is aborted', async () => {
    const bytes = await makeDatabase({ memoryBytes: 256 * 2 ** 20, iterations: 30 })
    const controller = new AbortController()
    const reason = new Error('Not wanted any more.')
    const work = createTestConnector().list(connectionTo(createMemoryFile(bytes)), { limit: 1 }, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 300)
    expect(await failureOf(work)).to.equal(reason)
  })

  it('is given up after a limited time', async () => {
    const work = workOf(await makeDatabase({ memoryBytes: 256 * 2 ** 20, iterations: 30 }))
    const failure = await failureOf(runWork(createWorkThreads(), work, { ...never, limitMs: 300 }))
    expect(failure).to.have.property('code', 'vault_unavailable')
  })
})

/** Sets the rounds of AES-KDF in the header, and its checksum, as an attacker would. */
function withRounds(bytes: Uint8Array, rounds: bigint): Uint8Array {
  const file = Buffer.from(bytes)
  const isVersion3 = file.readUInt16LE(10) === 3
  const mark = isVersion3 ? Buffer.from([6, 8, 0]) : Buffer.from([5, 1, 0, 0, 0, 0x52, 8, 0, 0, 0])
  file.writeBigUInt64LE(rounds, file.indexOf(mark, 12) + mark.length)
  if (isVersion3) return file
  const stream = new kdbxweb.BinaryStream(Uint8Array.from(file).buffer)
  const { endPos = 0 } = kdbxweb.KdbxHeader.read(stream, new kdbxweb.KdbxFormat(new kdbxweb.Kdbx()).ctx)
  sha256(file.subarray(0, endPos)).copy(file, endPos)
  return file
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
