import { readFile } from 'node:fs/promises'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { type Setting, type SettingsNode, settingsIn } from './support/settings-in.js'

const page = new URL('../../../kernel/docs/secrets.md', import.meta.url)

/** What is in backticks in a column of the table, settings of entries under the name `any`. */
async function namedIn(column: number): Promise<readonly string[]> {
  const rows = (await readFile(page, 'utf8')).split('\n').filter((line) => line.startsWith('| '))
  return rows.flatMap((row) =>
    [...(row.split('|')[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace('<name>', 'any')),
  )
}

describe('the table of secrets', () => {
  let kernel: TestKernel
  let admin: Api
  let settings: ReadonlyMap<string, Setting>
  before(async () => {
    kernel = await createTestKernel()
    admin = await signUp(kernel.url, 'ada')
    const { body } = await admin.request('GET', '/api/admin/config')
    settings = new Map([...settingsIn(body['schema'] as SettingsNode)].map((setting) => [setting.path, setting]))
  })
  after(() => kernel.stop())

  it('has every secret of the configuration, and everything that people connect with one', async () => {
    const named = await namedIn(1)
    const secrets = [...settings.values()].filter(({ isSecret }) => isSecret).map(({ path }) => path)
    expect(secrets).to.include('providers.any.api_key')
    expect(named).to.include.members(secrets)
    for (const path of ['/api/channels?limit=200', '/api/vaults/connectors?limit=200']) {
      const { body } = await admin.request('GET', path)
      const ids = (body['items'] as readonly { readonly id: string }[]).map(({ id }) => id)
      expect(ids).to.not.be.empty
      expect(named).to.include.members(ids)
    }
  })

  it('names no setting that decides where one goes and is called harmless', async () => {
    const deciding = (await namedIn(3)).filter((name) => name.includes('.'))
    expect(deciding).to.include.members(['mail.host', 'sso.authority', 'providers.any.base_url'])
    for (const path of deciding) expect(settings.get(path), path).to.include({ isHarmless: false })
  })
})
