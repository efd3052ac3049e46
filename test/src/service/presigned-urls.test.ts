import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { setUpCodeOf } from '../support/set-up-code.js'

describe('a pre-signed URL of the whole service', () => {
  let kernel: TestKernel
  let ada: Api
  let url: string
  let target: string

  before(async () => {
    kernel = await createTestKernel({
      environment: { SERVICE_SERVER_BACKEND_URL: 'https://agents.example.org/service', SERVICE_SERVER_LOG_LEVEL: 'debug' },
    })
    ada = await signUp(kernel.url, 'ada', 'a long enough password', setUpCodeOf(kernel))
    const files = path.join(kernel.folder, 'data', 'users', 'ada', 'files')
    await mkdir(files, { recursive: true })
    await writeFile(path.join(files, 'report.pdf'), 'the report')
    const made = await ada.request('POST', '/api/files/presign', { path: 'files/report.pdf' })
    url = String(made.body['url'])
    target = url.replace('https://agents.example.org/service', '')
  })
  after(() => kernel?.stop())

  it('is made at the public address, and leads to the file', async () => {
    expect(url).to.match(/^https:\/\/agents\.example\.org\/service\/api\/files\/content\?path=files\/report\.pdf&presign=/)
    expect(await (await fetch(`${kernel.url}${target}`)).text()).to.equal('the report')
  })

  it('14.2.1 is in no line of the log, valid or refused, and neither is its token', async () => {
    const token = target.slice(target.indexOf('presign=') + 8)
    for (const path of [
      target,
      `${target}x`,
      `/api/events?presign=${token}`,
      `/nowhere?presign=${token}`,
      `/api/files/content?presign=${token}`,
    ])
      await (await fetch(`${kernel.url}${path}`)).arrayBuffer()
    await fetch(`${kernel.url}/api/events`, { headers: { authorization: `Bearer ${token}`, referer: url } })
    const lines = kernel.log.map((line) => JSON.stringify(line)).join('\n')
    expect(lines).to.contain('/api/files/content').and.contain('A credential was refused')
    for (const secret of ['presign=', token, token.split('.')[2] ?? '']) expect(lines).not.to.contain(secret)
  })

  it('is described, with its credential', async () => {
    const described = (await (await fetch(`${kernel.url}/api/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security: readonly object[] }>>>>
    }
    expect(described.paths['/api/files/content']?.['get']?.security).to.deep.include({ presign: [] })
    expect(described.paths['/api/events']?.['get']?.security).not.to.deep.include({ presign: [] })
  })
})
