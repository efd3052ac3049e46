import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '@agent-service/kernel-core/clock'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { openDatabase } from '@agent-service/kernel-core/database'
import { quietLog } from '@agent-service/kernel-core/database/testing'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { createSecretCipher, dataKeys, openDataKeys, parseSealed, secretsCollections } from '@agent-service/kernel-core/secrets'
import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import { type CollectionDefinition, defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createDataKeyRotation } from './data-key-rotation.js'
import { PluginSealedFields } from './plugin-sealed-fields.js'
import { rekey } from './rekey.js'

interface Key extends StoredObject {
  readonly owner: string
  readonly sealed: string | null
}

const definition = {
  name: 'house.keys',
  version: 1,
  indexes: { by_owner: { fields: ['owner'] } },
  sealed: ['sealed'],
} as const
const houseKeys = defineCollection<Key>()(definition)
const dayMs = 86_400_000

/**
 * The kernel's part over a store, with the plugin's collection open, or with the plugin switched
 * off.
 */
async function openService(
  { driver, folder }: { readonly driver: DatabaseDriver; readonly folder: string },
  clock = createControlledClock(),
  secret = 'first',
) {
  const cache = { ttlSeconds: 300, maxEntries: 1000 }
  const opening = {
    ...{ driver, cache, clock: createSystemClock() },
    path: folder,
    settings: {},
    log: quietLog,
    signal: AbortSignal.timeout(60_000),
  }
  const kernelDatabase = await openDatabase(opening)
  const database = await kernelDatabase.openFor('kernel', secretsCollections)
  const keys = await openDataKeys({ database, clock, encryptionSecret: secret })
  const cipher = createSecretCipher(keys)
  const fields = new PluginSealedFields(database, kernelDatabase, cipher)
  const log = createRecordingLog()
  const rotation = createDataKeyRotation({
    ...{ clock, keys, cipher, log },
    fields: () => fields.all(),
    audit: { note: async () => undefined },
    rotationDays: 90,
  })
  return {
    ...{ kernelDatabase, database, keys, fields, log },
    end: () => kernelDatabase.close(),
    run: (signal = new AbortController().signal) => rotation.run({ signal }),
    async openPlugin(pluginId = 'house', definitions: readonly CollectionDefinition[] = [houseKeys]) {
      const own = await kernelDatabase.openFor(pluginId, definitions)
      await fields.declare(pluginId, definitions)
      return { database: own, keys: () => own.collection(houseKeys), sealed: fields.serviceOf(pluginId) }
    },
    countOfKeys: async () => (await database.collection(dataKeys).query({ index: 'by_kind', equals: ['data_key'] })).items.length,
  }
}

const at = (id: string, field = 'sealed') => ({ collection: houseKeys, id, field })
const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error as { readonly code?: string }).code,
  )

describe('sealed fields of plugins', () => {
  const clock = createControlledClock()
  let store: { readonly driver: DatabaseDriver; readonly folder: string }
  let service: Awaited<ReturnType<typeof openService>>

  beforeEach(async () => {
    store = { driver: createMemoryDatabaseDriver(), folder: await mkdtemp(join(tmpdir(), 'agent-service-sealed-')) }
    service = await openService(store, clock)
  })
  afterEach(async () => {
    await service.end()
    await rm(store.folder, { recursive: true })
  })

  const fill = async (count: number): Promise<void> => {
    const plugin = await service.openPlugin()
    for (let number = 0; number < count; number += 1) {
      const id = `key-${String(number).padStart(3, '0')}`
      await plugin.keys().insert({ id, owner: 'me', sealed: await plugin.sealed.seal(`secret of ${id}`, at(id)) })
    }
    await plugin.keys().insert({ id: 'without', owner: 'me', sealed: null })
  }
  const keyIds = async (): Promise<ReadonlySet<string | undefined>> => {
    const found = new Set<string | undefined>()
    for await (const document of service.kernelDatabase.upkeep.documents(houseKeys.name, { signal: new AbortController().signal }))
      if (typeof document['sealed'] === 'string') found.add(parseSealed(document['sealed'])?.keyId)
    return found
  }
  const expectAllToOpen = async (count: number): Promise<void> => {
    const plugin = await service.openPlugin()
    const page = await plugin.keys().query({ index: 'by_owner', equals: ['me'], limit: 200 })
    expect(page.items).to.have.length(count + 1)
    for (const { id, sealed } of page.items)
      if (sealed !== null) expect(await plugin.sealed.open(sealed, at(id))).to.equal(`secret of ${id}`)
  }
  const reopen = async (secret = 'first'): Promise<void> => {
    await service.end()
    service = await openService(store, clock, secret)
  }

  it('open only in the record and field that they were sealed for', async () => {
    const { sealed } = await service.openPlugin()
    const text = await sealed.seal('Grüße aus Klagenfurt', at('one'))
    expect(text).to.not.contain('Klagenfurt')
    expect(await sealed.open(text, at('one'))).to.equal('Grüße aus Klagenfurt')
    expect(await codeOf(sealed.open(text, at('two')))).to.equal('secret_unreadable')
  })

  it('are sealed inside a transaction, also as the first ones after a start', async () => {
    await service.openPlugin()
    await reopen()
    const { database, keys, sealed } = await service.openPlugin()
    await database.transaction(async (transaction) => {
      transaction.put(houseKeys, { id: 'one', owner: 'me', sealed: await sealed.seal('open sesame', at('one')) })
    })
    expect(await sealed.open((await keys().get('one'))?.sealed ?? '', at('one'))).to.equal('open sesame')
  })

  it('are only those that the plugin declared in its own collections', async () => {
    const { sealed } = await service.openPlugin()
    const other = await service.openPlugin('other', [])
    const text = await sealed.seal('secret', at('one'))
    for (const attempt of [
      sealed.seal('secret', at('one', 'owner')),
      sealed.seal('secret', { ...at('one'), collection: { name: 'other.keys' } }),
      sealed.seal('secret', { ...at('one'), collection: { name: 'kernel.signing_keys' }, field: 'private_sealed' }),
      other.sealed.open(text, at('one')),
    ])
      expect(await codeOf(attempt)).to.equal('sealed_field_undeclared')
  })

  for (const [what, sealedMembers] of [
    ['an indexed member', ['owner']],
    ['the id', ['id']],
    ['a dotted path', ['a.b']],
  ] as const)
    it(`cannot be ${what}`, async () => {
      const wrong = defineCollection<Key>()({ ...definition, name: 'house.wrong', sealed: sealedMembers })
      expect(await codeOf(service.kernelDatabase.openFor('house', [wrong]))).to.equal('collection_invalid')
    })

  it('are resealed under the new key, and still found by their indexes', async () => {
    await fill(120)
    await clock.advance(90 * dayMs)
    await service.run()
    expect([...(await keyIds())]).to.deep.equal([service.keys.active().id])
    await clock.advance(dayMs)
    await service.run()
    expect(await service.countOfKeys()).to.equal(1)
    await expectAllToOpen(120)
  })

  it('are resealed even if their plugin is switched off, and open when it runs again', async () => {
    await fill(3)
    await reopen()
    await clock.advance(90 * dayMs)
    await service.run()
    await clock.advance(dayMs)
    await service.run()
    expect(await service.countOfKeys()).to.equal(1)
    expect([...(await keyIds())]).to.deep.equal([service.keys.active().id])
    await expectAllToOpen(3)
    await reopen()
    await expectAllToOpen(3)
  })

  it('are completely resealed after an interruption', async () => {
    await fill(120)
    await clock.advance(90 * dayMs)
    await service.keys.rotate()
    const stop = new AbortController()
    const { upkeep } = service.kernelDatabase
    let seen = 0
    for (const field of await service.fields.all())
      for await (const { id, sealed } of field.texts(stop.signal)) {
        if (++seen > 60) break
        const text = await (await service.openPlugin()).sealed.open(sealed, at(id))
        const again = await (await service.openPlugin()).sealed.seal(text, at(id))
        await upkeep.replaceText({ collection: houseKeys.name, id, field: 'sealed' }, sealed, again)
      }
    expect((await keyIds()).size).to.equal(2)
    stop.abort(new Error('stopped'))
    await service.run(stop.signal).catch((error: unknown) => expect(String(error)).to.contain('stopped'))
    await reopen()
    await service.run()
    expect([...(await keyIds())]).to.deep.equal([service.keys.active().id])
    await expectAllToOpen(120)
  })

  it('keep the old key while one of them cannot be resealed', async () => {
    await fill(2)
    const keys = (await service.openPlugin()).keys()
    await keys.put({ id: 'moved', owner: 'me', sealed: (await keys.get('key-000'))?.sealed ?? null })
    await clock.advance(90 * dayMs)
    await service.run()
    await clock.advance(10 * dayMs)
    await service.run()
    expect(await service.countOfKeys()).to.equal(2)
    expect(service.log.lines.some(({ level }) => level === 'error')).to.equal(true)
  })

  it('do not overwrite what the plugin stores during the resealing', async () => {
    await fill(1)
    const plugin = await service.openPlugin()
    const [keys, sealed] = [plugin.keys(), plugin.sealed]
    const old = (await keys.get('key-000'))?.sealed ?? ''
    const newer = await sealed.seal('newer', at('key-000'))
    await keys.put({ id: 'key-000', owner: 'me', sealed: newer })
    const place = { collection: houseKeys.name, id: 'key-000', field: 'sealed' }
    expect(await service.kernelDatabase.upkeep.replaceText(place, old, 'v1.other')).to.equal(true)
    expect((await keys.get('key-000'))?.sealed).to.equal(newer)
  })

  it('belong to the new encryption secret after a change', async () => {
    await fill(2)
    await rekey(service.database, { from: 'first', to: 'second' })
    await reopen('second')
    await expectAllToOpen(2)
  })
})
