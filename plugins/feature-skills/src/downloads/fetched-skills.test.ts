import type { ServiceError } from '@agent-service/sdk'
import { cacheFilesService } from '@agent-service/sdk/services/cache-files'
import {
  httpAddressRefusedError,
  httpClientService,
  httpConnectionError,
  httpRedirectRefusedError,
  httpResponseInvalidError,
  httpResponseTooLargeError,
  httpTimeoutError,
} from '@agent-service/sdk/services/http-client'
import { createTestContext, testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from '../index.js'
import { type ArchiveServer, startArchiveServer } from '../test-support/archive-server.js'
import { skillText, zip } from '../test-support/archives.js'
import { createCacheFilesInMemory } from '../test-support/cache-files.js'

const url = 'https://skills.example/notes.zip'
const archive = (more: string): Uint8Array => zip([{ name: 'notes/SKILL.md', content: skillText('notes', more) }])

describe('skills from an address', () => {
  let server: ArchiveServer
  before(async () => {
    server = await startArchiveServer()
  })
  after(() => server.close())

  async function start(client = server.client, files = createCacheFilesInMemory()) {
    const services = [[httpClientService, client] as const, [cacheFilesService, files] as const]
    const host = createTestContext(plugin, { services })
    await host.setup()
    const call = async (route: string, request: Parameters<typeof host.request>[1]) => {
      const answer = await host.request(route, request)
      return (answer.kind === 'json' ? answer.json : {}) as Record<string, unknown>
    }
    return {
      host,
      install: (body: Record<string, unknown> = {}) => call('POST /api/skills/install', { body: { url, ...body } }),
      check: () => call('POST /api/skills/{source}/{name}/check', { params: { source: 'user', name: 'notes' } }),
      update: () => call('POST /api/skills/{source}/{name}/update', { params: { source: 'user', name: 'notes' } }),
    }
  }
  const failureOf = (attempt: Promise<unknown>): Promise<ServiceError> =>
    attempt.then(
      () => expect.fail('It was expected to fail.'),
      (error: ServiceError) => error,
    )

  it('are installed as the server gives them, and fetched again', async () => {
    const { host, install, update } = await start()
    server.serve({ bytes: archive('First.') })
    const installed = await install()
    expect(installed).to.deep.include({ name: 'notes', source: 'user' })
    expect(installed['installation']).to.include({ origin: 'url', from: url })
    const file = `${testAccount.handle}/skills/own/notes/SKILL.md`
    const text = (): string => new TextDecoder().decode(host.services.userFiles.files.get(file))
    expect(text()).to.contain('First.')
    server.serve({ bytes: archive('Second.') })
    await update()
    expect(text()).to.contain('Second.')
  })

  it('are not fetched again while the server says that they have not changed', async () => {
    const files = createCacheFilesInMemory()
    const { install, check, update } = await start(server.client, files)
    const last = () => server.requests.at(-1)
    const kinds: readonly (readonly [Readonly<Record<string, string>>, 'if-none-match' | 'if-modified-since'])[] = [
      [{ etag: '"one"' }, 'if-none-match'],
      [{ 'last-modified': 'Sun, 01 Mar 2026 12:00:00 GMT' }, 'if-modified-since'],
    ]
    for (const [headers, asked] of kinds) {
      server.serve({ bytes: archive('First.'), headers })
      const { installation } = await install({ replace: true })
      const { sha256 } = installation as { readonly sha256: string }
      expect(await check()).to.include({ name: 'notes', state: 'unchanged', sha256 })
      expect(last()?.[asked]).to.equal(Object.values(headers)[0])
      expect((await update())['installation']).to.include({ sha256 })
      // Another word of the server, another archive.
      server.serve({ bytes: archive('Second.'), headers: { etag: '"two"' } })
      expect(await check()).to.include({ state: 'changed' })
      expect(await check(), 'it is installed by an update alone').to.include({ state: 'changed' })
      expect(last()?.['if-none-match']).to.equal('"two"')
      await update()
      expect(await check()).to.include({ state: 'unchanged' })
    }
    files.texts.clear()
    expect(await check(), 'the cache may be emptied at any time').to.include({ state: 'unchanged' })
    expect(last()?.['if-none-match']).to.equal(undefined)
  })

  it('are fetched whole where the server gives nothing to ask about, and 304 that was not asked for is no answer', async () => {
    const files = createCacheFilesInMemory()
    const { install, check } = await start(server.client, files)
    server.serve({ bytes: archive('First.') })
    await install()
    expect([...files.texts.keys()]).to.deep.equal([])
    server.serve({ status: 304 })
    expect((await failureOf(check())).message).to.contain('status 304')
  })

  it('that cannot be had are a failure of the other side, whatever the way, and nothing is kept', async () => {
    const host = 'skills.example'
    const reasons = [
      httpConnectionError.create({ host, reason: 'the name cannot be resolved.' }),
      httpTimeoutError.create({ host, what: 'the whole request', limitMs: 1 }),
      httpRedirectRefusedError.create({ host, reason: 'there were too many.' }),
      httpResponseTooLargeError.create({ host, reason: 'it has no end.' }),
      httpResponseInvalidError.create({ host, reason: 'it is not valid HTTP.' }),
    ]
    for (const reason of reasons) {
      const { install, host: plain } = await start({ request: () => Promise.reject(reason), stream: () => Promise.reject(reason) })
      const error = await failureOf(install())
      expect([error.code, error.status]).to.deep.equal(['skill_fetch_failed', 502])
      expect(error.message).to.contain(reason.message)
      expect([...plain.services.userFiles.files.keys()]).to.deep.equal([])
    }
    const { install } = await start()
    server.serve({ status: 404 })
    expect((await failureOf(install())).message).to.contain('answered with status 404; expected 200')
  })

  it('that is refused is the fault of the one who asks', async () => {
    const refused = httpAddressRefusedError.create({ host: '127.0.0.1', reason: 'it is the machine itself.' })
    const { install } = await start({ request: () => Promise.reject(refused), stream: () => Promise.reject(refused) })
    expect(await failureOf(install())).to.equal(refused)
  })
})
