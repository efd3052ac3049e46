import { ServiceError } from '@agent-service/sdk'
import type { StoredObject } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { createControlledClock } from '../clock/testing/controlled-clock.js'
import { openDataKeys } from './data-keys.js'
import type { SecretCipher } from './secret-cipher.js'
import { createSecretCipher } from './secret-cipher.js'
import { createMemoryDatabase } from './testing/memory-database.js'

const clock = createControlledClock()
const binding = { record: 'credentials/1', field: 'api_key' }
const canary = Buffer.from('canary-plaintext')
const open = async (database = createMemoryDatabase(), encryptionSecret = 'first'): Promise<SecretCipher> =>
  createSecretCipher(await openDataKeys({ database, clock, encryptionSecret }))
const codeOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'opened',
    (error: unknown) => (ServiceError.isInstance(error) ? error.code : String(error)),
  )

describe('secret cipher', () => {
  it('opens what it sealed, also after a restart, and never produces the same text twice', async () => {
    const database = createMemoryDatabase()
    const first = await open(database)
    const [one, two] = [await first.seal(canary, binding), await first.seal(canary, binding)]
    expect(one).to.not.equal(two)
    expect(one).to.match(/^v1\.[0-9a-f-]{36}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/)
    const again = await open(database)
    for (const sealed of [one, two]) expect(Buffer.from(await again.open(sealed, binding))).to.deep.equal(canary)
    expect(Buffer.from(await again.open(await again.seal(new Uint8Array(), binding), binding))).to.have.length(0)
    expect(database.stored.size).to.equal(2)
  })

  it('refuses any changed byte, any cut and any addition', async () => {
    const cipher = await open()
    const sealed = await cipher.seal(canary, binding)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.='
    for (let at = 0; at < sealed.length; at++) {
      const other = alphabet[(alphabet.indexOf(sealed[at] ?? '') + 1 + (at % 7)) % alphabet.length]
      if (other === sealed[at]) continue
      expect(await codeOf(cipher.open(sealed.slice(0, at) + other + sealed.slice(at + 1), binding)), `changed at ${at}`).to.equal(
        'secret_unreadable',
      )
      expect(await codeOf(cipher.open(sealed.slice(0, at), binding)), `cut at ${at}`).to.equal('secret_unreadable')
    }
    for (const text of ['', `${sealed}A`, `${sealed}=`, ` ${sealed}`, `${sealed}\n`, sealed.replace('v1', 'v2')])
      expect(await codeOf(cipher.open(text, binding)), JSON.stringify(text)).to.equal('secret_unreadable')
  })

  it('refuses a text that was sealed for another record or field', async () => {
    const cipher = await open()
    const sealed = await cipher.seal(canary, { record: 'a', field: 'bc' })
    for (const other of [
      { record: 'a', field: 'b' },
      { record: 'b', field: 'bc' },
      { record: 'ab', field: 'c' },
      { record: 'a","bc', field: '' },
    ])
      expect(await codeOf(cipher.open(sealed, other)), JSON.stringify(other)).to.equal('secret_unreadable')
  })

  it('fails to open with a wrong secret, and then writes nothing', async () => {
    const database = createMemoryDatabase()
    await open(database)
    const before = JSON.stringify([...database.stored])
    const error: unknown = await open(database, 'second').catch((thrown: unknown) => thrown)
    expect(ServiceError.isInstance(error) && error.code).to.equal('encryption_secret_wrong')
    expect(String(error)).to.contain('SERVICE_AUTH_ENCRYPTION_SECRET')
    expect(JSON.stringify([...database.stored])).to.equal(before)
  })

  it('names what is missing if keys or the check value were lost, and then never makes new keys', async () => {
    const remove = async (kind: string): Promise<ReturnType<typeof createMemoryDatabase>> => {
      const database = createMemoryDatabase()
      await open(database)
      for (const [id, document] of database.stored)
        if ((document as StoredObject & { readonly kind: string }).kind === kind) database.stored.delete(id)
      return database
    }
    expect(await codeOf(open(await remove('data_key')))).to.equal('data_keys_missing')
    expect(await codeOf(open(await remove('data_key'), 'second'))).to.equal('encryption_secret_wrong')
    expect(await codeOf(open(await remove('key_check'), 'second'))).to.equal('encryption_secret_wrong')
    const mended = await remove('key_check')
    await open(mended)
    expect(mended.stored.size).to.equal(2)
  })

  it('makes one key if two nodes start at once', async () => {
    const database = createMemoryDatabase()
    const [one, two] = await Promise.all([open(database), open(database)])
    expect(database.stored.size).to.equal(2)
    expect(Buffer.from(await two.open(await one.seal(canary, binding), binding))).to.deep.equal(canary)
  })

  it('finds a key that another node has made, and names a missing one', async () => {
    const database = createMemoryDatabase()
    const old = await open(database)
    const other = createMemoryDatabase()
    const foreign = await (await open(other)).seal(canary, binding)
    expect(await codeOf(old.open(foreign, binding))).to.equal('secret_unreadable')
    for (const [id, document] of other.stored) if (id !== 'key-check') database.stored.set(id, document)
    expect(Buffer.from(await old.open(foreign, binding))).to.deep.equal(canary)
  })

  it('stores neither the secret nor a data key in the clear', async () => {
    const database = createMemoryDatabase()
    const cipher = await open(database, 'a-very-telling-secret')
    await cipher.seal(canary, binding)
    const text = JSON.stringify([...database.stored])
    expect(text).to.not.contain('telling')
    for (const document of database.stored.values())
      expect(document).to.have.keys('id', 'kind', 'state', 'wrapped', 'created_at', 'retired_at', 'uses')
  })

  it('refuses to seal more than 1 MiB', async () => {
    const cipher = await open()
    expect(await codeOf(cipher.seal(new Uint8Array(1024 * 1024 + 1), binding))).to.equal('secret_too_large')
    expect(await cipher.open(await cipher.seal(new Uint8Array(1024 * 1024), binding), binding)).to.have.length(1024 * 1024)
  })
})
