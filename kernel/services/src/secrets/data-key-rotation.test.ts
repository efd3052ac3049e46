import type { AuditEntry } from '@agent-service/kernel-core/audit'
import { type ControlledClock, createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { openTestDatabase } from '@agent-service/kernel-core/database/testing'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import {
  checkId,
  createSecretCipher,
  dataKeys,
  maxUses,
  openDataKeys,
  ownSealedField,
  parseSealed,
  secretsCollections,
} from '@agent-service/kernel-core/secrets'
import { type CollectionDefinition, defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { createDataKeyRotation } from './data-key-rotation.js'
import { rekey } from './rekey.js'

interface Credential extends StoredObject {
  readonly sealed: string
}

const credentials = defineCollection<Credential>()({ name: 'kernel.test_credentials', version: 1, indexes: {} })
const dayMs = 86_400_000
const bindingOf = (id: string) => ({ record: `${credentials.name}/${id}`, field: 'sealed' })

/** A store that outlives the databases opened over it. */
async function openStore() {
  const clock = createControlledClock()
  const { database: kernelDatabase, end } = await openTestDatabase({})
  const database = await kernelDatabase.openFor('kernel', [...secretsCollections, credentials])
  const noted: AuditEntry[] = []
  const open = async (encryptionSecret = 'first') => {
    const keys = await openDataKeys({ database, clock, encryptionSecret })
    const cipher = createSecretCipher(keys)
    const log = createRecordingLog()
    const rotation = createDataKeyRotation({
      ...{ clock, keys, cipher, log },
      audit: { note: async (entry) => void noted.push(entry) },
      rotationDays: 90,
      fields: async () => [
        ownSealedField(database, {
          collection: credentials as CollectionDefinition,
          field: 'sealed',
          async *ids() {
            yield* ['a', 'b', 'c', 'gone']
          },
        }),
      ],
    })
    return { keys, cipher, log, run: (signal = new AbortController().signal) => rotation.run({ signal }) }
  }
  return { clock, database, end, open, noted }
}

describe('data key rotation', () => {
  let store: Awaited<ReturnType<typeof openStore>>
  let clock: ControlledClock
  let service: Awaited<ReturnType<typeof store.open>>

  const seal = async (id: string): Promise<void> => {
    const sealed = await service.cipher.seal(Buffer.from(`secret of ${id}`), bindingOf(id))
    await store.database.collection(credentials).put({ id, sealed })
  }
  const keyOf = async (id: string): Promise<string | undefined> =>
    parseSealed((await store.database.collection(credentials).get(id))?.sealed ?? '')?.keyId
  const expectAllToOpen = async (cipher = service.cipher): Promise<void> => {
    for (const id of ['a', 'b', 'c']) {
      const { sealed } = (await store.database.collection(credentials).get(id)) ?? { sealed: '' }
      expect(Buffer.from(await cipher.open(sealed, bindingOf(id))).toString()).to.equal(`secret of ${id}`)
    }
  }
  const countOfKeys = async (): Promise<number> =>
    (await store.database.collection(dataKeys).query({ index: 'by_kind', equals: ['data_key'] })).items.length

  beforeEach(async () => {
    store = await openStore()
    clock = store.clock
    service = await store.open()
    for (const id of ['a', 'b', 'c']) await seal(id)
  })
  afterEach(() => store.end())

  it('does not replace a key before it is old enough', async () => {
    const before = service.keys.active().id
    await clock.advance(90 * dayMs - 1)
    await service.run()
    expect(service.keys.active().id).to.equal(before)
  })

  it('reseals everything under a new key, notes it, and removes the old key a day later', async () => {
    const before = service.keys.active().id
    await clock.advance(90 * dayMs)
    await service.run()
    const after = service.keys.active().id
    expect(after).to.not.equal(before)
    expect(await Promise.all(['a', 'b', 'c'].map(keyOf))).to.deep.equal([after, after, after])
    await expectAllToOpen()
    expect(await countOfKeys()).to.equal(2)
    expect(store.noted.map(({ kind }) => kind)).to.deep.equal(['data_key.rotated'])
    await clock.advance(dayMs)
    await service.run()
    expect(await countOfKeys()).to.equal(1)
    await expectAllToOpen((await store.open()).cipher)
  })

  it('continues after an interruption, even after a restart', async () => {
    await clock.advance(90 * dayMs)
    await service.keys.rotate()
    const stop = new AbortController()
    stop.abort()
    await service.run(stop.signal).catch(() => undefined)
    await expectAllToOpen()
    service = await store.open()
    await service.run()
    expect(new Set(await Promise.all(['a', 'b', 'c'].map(keyOf)))).to.deep.equal(new Set([service.keys.active().id]))
    await expectAllToOpen()
  })

  it('keeps the old key while something sealed under it cannot be resealed', async () => {
    const { sealed } = (await store.database.collection(credentials).get('a')) ?? { sealed: '' }
    await store.database.collection(credentials).put({ id: 'b', sealed })
    await clock.advance(90 * dayMs)
    await service.run()
    await clock.advance(10 * dayMs)
    await service.run()
    expect(await countOfKeys()).to.equal(2)
    expect(service.log.lines.some(({ level }) => level === 'error')).to.equal(true)
  })

  it('replaces a key at once when it has reached its limit of uses', async () => {
    const before = service.keys.active().id
    const record = await store.database.collection(dataKeys).get(before)
    if (record) await store.database.collection(dataKeys).put({ ...record, uses: maxUses - 1 })
    service = await store.open()
    await seal('a')
    expect(await keyOf('a')).to.not.equal(before)
    await expectAllToOpen()
  })

  describe('under another encryption secret', () => {
    it('rewraps every key at once, and changes no sealed text', async () => {
      await service.keys.rotate()
      await seal('c')
      expect(await rekey(store.database, { from: 'first', to: 'second' })).to.equal(2)
      await expectAllToOpen((await store.open('second')).cipher)
      const error: unknown = await store.open('first').catch((thrown: unknown) => thrown)
      expect(error).to.have.property('code', 'encryption_secret_wrong')
    })

    it('changes nothing when the old secret is wrong', async () => {
      const error: unknown = await rekey(store.database, { from: 'wrong', to: 'second' }).catch((thrown: unknown) => thrown)
      expect(error).to.have.property('code', 'encryption_secret_wrong')
      await expectAllToOpen((await store.open('first')).cipher)
    })

    it('includes a new key that is made at the same moment', async () => {
      await Promise.allSettled([rekey(store.database, { from: 'first', to: 'second' }), service.keys.rotate()])
      const check = await store.database.collection(dataKeys).get(checkId)
      expect(check).to.not.equal(undefined)
      const outcomes = await Promise.allSettled([store.open('first'), store.open('second')])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    })
  })
})
