import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { createSecretCipher, openDataKeys } from '@agent-service/kernel-core/secrets'
import { createMemoryDatabase } from '@agent-service/kernel-core/secrets/testing'
import { expect } from 'chai'
import { createSeals } from './create-seals.js'

describe('seals', () => {
  it('open only unchanged, and only for the plugin and the purpose that they were made for', async () => {
    const keys = await openDataKeys({ database: createMemoryDatabase(), clock: createControlledClock(), encryptionSecret: 'first' })
    const cipher = createSecretCipher(keys)
    const [one, other] = ['plugin-one', 'plugin-other'].map((pluginId) => createSeals({ cipher: cipher, pluginId }))
    if (!one || !other) throw new Error('Two were made.')
    const sealed = await one.seal('canary, grün', 'sign-in 1')
    expect(sealed).to.match(/^[\w.-]+$/)
    expect(Buffer.from(sealed.split('.').at(-1) ?? '', 'base64url').toString()).to.not.include('canary')
    expect(await one.open(sealed, 'sign-in 1')).to.equal('canary, grün')
    expect(await one.open(sealed, 'sign-in 2')).to.equal(undefined)
    expect(await other.open(sealed, 'sign-in 1')).to.equal(undefined)
    for (const changed of ['', 'v1', `${sealed}A`, sealed.slice(0, -1), sealed.replace(/^v1/, 'v2'), sealed.toUpperCase()])
      expect(await one.open(changed, 'sign-in 1'), changed).to.equal(undefined)
  })

  it('open those of an id that the plugin had before', async () => {
    const keys = await openDataKeys({ database: createMemoryDatabase(), clock: createControlledClock(), encryptionSecret: 'first' })
    const cipher = createSecretCipher(keys)
    const sealed = await createSeals({ cipher, pluginId: 'old' }).seal('canary', 'sign-in')
    const renamed = createSeals({ cipher, pluginId: 'new', earlierIds: ['older', 'old'] })
    expect(await renamed.open(sealed, 'sign-in')).to.equal('canary')
    expect(await renamed.open(sealed, 'sign-out')).to.equal(undefined)
    expect(await createSeals({ cipher, pluginId: 'old' }).open(await renamed.seal('mine', 'sign-in'), 'sign-in')).to.equal(undefined)
  })

  it('report a failure of the key store instead of treating the text as forged', async () => {
    const failing = createSeals({ pluginId: 'plugin', cipher: { seal: fail, open: fail } })
    const thrown = await failing.open('v1.a.b.c', 'purpose').catch((error: unknown) => error)
    expect(String(thrown)).to.include('no disk')
  })
})

const fail = (): Promise<never> => Promise.reject(new Error('no disk'))
