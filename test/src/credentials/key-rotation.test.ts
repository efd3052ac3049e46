import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import * as tokens from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { until } from './support/credentials-kernel.js'

const ageMs = 91 * 86_400_000
const key = 'a-key-of-some-length'

describe('the rotation of data keys', () => {
  it('includes managed credentials while their plugin is disabled', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-rotation-'))
    let clock = createControlledClock()
    const start = (environment: Readonly<Record<string, string>> = {}): Promise<TestKernel> =>
      createTestKernel({ folder, clock, environment })
    let kernel = await start()
    const fields = () => kernel.container.resolve(tokens.pluginSealedFieldsToken)
    /** The text of the one credential, and the key that it is sealed under. */
    const stored = async (): Promise<{ readonly id: string; readonly sealed: string; readonly dataKey: string | undefined }> => {
      for (const field of await fields().all())
        for await (const text of field.texts(new AbortController().signal)) return { ...text, dataKey: text.sealed.split('.')[1] }
      throw new Error('Nothing is sealed.')
    }
    try {
      const admin = await signUp(kernel.url, 'root')
      const made = await admin.request('POST', '/api/admin/credentials', { brand: 'groq', label: 'Ours', api_key: key })
      expect(made.status).to.equal(201)
      const before = await stored()

      await kernel.stop()
      clock = createControlledClock({ now: clock.now() + ageMs })
      kernel = await start({ SERVICE_PLUGINS_DISABLED: '["feature-credentials"]' })
      expect(kernel.report.find(({ id }) => id === 'feature-credentials')?.state).to.equal('disabled')
      // Jobs run at the scheduler's first poll.
      await clock.advance(61_000)
      await until(stored, ({ dataKey }) => dataKey !== before.dataKey)

      await kernel.stop()
      kernel = await start()
      const { id, sealed } = await stored()
      const place = { collection: { name: 'credentials.entries' }, id, field: 'content' }
      const content = { kind: 'secret', fields: { api_key: key } }
      expect(JSON.parse(await fields().serviceOf('feature-credentials').open(sealed, place))).to.deep.equal(content)
    } finally {
      await kernel.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
