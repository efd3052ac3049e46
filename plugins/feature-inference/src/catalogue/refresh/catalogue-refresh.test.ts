import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { openTestCatalogue, type SourceServer, startSource } from '../../test-support/catalogue-under-test.js'
import { sourceOf } from '../../test-support/source-list.js'

describe('the refresh of the catalogue', () => {
  let base: string
  let source: SourceServer
  let content: string
  const good = JSON.stringify(sourceOf('openai', 500))

  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'catalogue-refresh-'))
    source = await startSource((request, response) => {
      if (request.url === '/moved.json') response.writeHead(302, { location: '/api.json' }).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(content)
    })
  })
  beforeEach(() => {
    content = good
  })
  after(async () => {
    await source.close()
    await rm(base, { recursive: true, force: true })
  })
  const emptyFolder = () => mkdtemp(join(base, 'cache-'))

  it('applies at once with a new version, and keeps overrides and brands that it lacks', async () => {
    const { catalogue, refresh } = await openTestCatalogue({ address: source.address, folder: await emptyFolder() })
    expect(catalogue.version).to.equal('2026-07-02')
    expect(await refresh.refresh()).to.deep.equal({ version: '2026-11-21T10:00:00.000Z', models: 500, brands: 1 })
    expect(catalogue.version).to.equal('2026-11-21T10:00:00.000Z')
    expect(catalogue.model('openai', 'model-7')).to.deep.include({ context_window: 200_000 })
    expect(catalogue.model('openai', 'gpt-5')).to.equal(undefined)
    expect(catalogue.model('anthropic', 'claude-sonnet-4-5')?.context_window).to.equal(200_000)
    expect(catalogue.model('openrouter', 'openrouter/auto')?.context_window).to.equal(128_000)
    expect(catalogue.model('ollama', 'llama3.2')?.context_window).to.equal(131_072)
  })

  it('applies after a restart, and a later refresh replaces it completely', async () => {
    const folder = await emptyFolder()
    const first = await openTestCatalogue({ address: source.address, folder })
    await first.refresh.refresh()
    const second = await openTestCatalogue({ address: source.address, folder })
    expect(second.catalogue.version).to.equal('2026-11-21T10:00:00.000Z')
    expect(second.catalogue.model('openai', 'model-499')?.price?.input).to.equal(3)
    content = JSON.stringify(sourceOf('openai', 400, { cost: { input: 4, output: 5 } }))
    await (await openTestCatalogue({ address: source.address, folder, now: '2026-11-22T10:00:00Z' })).refresh.refresh()
    const third = await openTestCatalogue({ address: source.address, folder })
    expect(third.catalogue.version).to.equal('2026-11-22T10:00:00.000Z')
    expect(third.catalogue.model('openai', 'model-1')?.price).to.deep.equal({ input: 4, output: 5 })
    expect(third.catalogue.model('openai', 'model-499')).to.equal(undefined)
    expect(third.lines).to.deep.equal([])
    expect(await readdir(folder)).to.deep.equal(['models.json'])
  })

  it('ignores a damaged or older cache with a warning', async () => {
    const older = JSON.stringify({ version: '2026-07-01T23:59:59.999Z', models: { openai: { m: { context_window: 1 } } } })
    const damaged = ['', '{', 'null', '[]', '{"version":"2027-01-01"}', '{"version":"2027-01-01","models":{"openai":{"m":{}}}}', older]
    for (const text of damaged) {
      const folder = await emptyFolder()
      await writeFile(join(folder, 'models.json'), text)
      const { catalogue, lines } = await openTestCatalogue({ address: source.address, folder })
      expect(catalogue.version, text).to.equal('2026-07-02')
      expect(catalogue.model('openai', 'gpt-5')?.context_window, text).to.equal(400_000)
      expect(lines.map(({ message }) => message).join(), text).to.match(/^The refreshed catalogue in the cache is ignored/)
    }
    const folder = await emptyFolder()
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file in the place of the folder')
    const { catalogue, lines } = await openTestCatalogue({ address: source.address, folder })
    expect([catalogue.version, lines.length]).to.deep.equal(['2026-07-02', 1])
  })

  it('changes nothing when it fails, and reports why', async () => {
    const other = await startSource((_, response) => response.writeHead(302, { location: source.address }).end())
    const failing = await startSource((_, response) => response.writeHead(503).end('busy'))
    const loop = await startSource((_, response) => response.writeHead(302, { location: '/api.json' }).end())
    const large = await startSource((_, response) => response.end(Buffer.alloc(200_000, 0x20)))
    const endless = await startSource((_, response) => {
      const piece = Buffer.alloc(65_536, 0x20)
      const write = (): void => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    })
    const cut = await startSource((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).flushHeaders()
      response.write('{"a"', () => response.destroy())
    })
    const silent = await startSource(() => undefined)
    const slow = await startSource((_, response) => void response.write('{'))
    const servers = { other, failing, loop, large, endless, cut, silent, slow }
    const told: Readonly<Record<keyof typeof servers, RegExp>> = {
      other: /redirects to another host/,
      failing: /responded with 503/,
      loop: /redirects too many times/,
      large: /more than 100000 bytes/,
      endless: /more than 100000 bytes/,
      cut: /was interrupted/,
      silent: /longer than 1 seconds/,
      slow: /longer than 1 seconds/,
    }
    try {
      for (const name of Object.keys(servers) as (keyof typeof servers)[])
        await expectFailure(
          { address: servers[name].address, maxBytes: 100_000, timeoutMs: /longer/.test(told[name].source) ? 1_000 : 20_000 },
          told[name],
        )
      expect(source.requests.filter((url) => url === '/other')).to.deep.equal([])
    } finally {
      await Promise.all(Object.values(servers).map((server) => server.close()))
    }
    await expectFailure({ address: silent.address }, /cannot be reached/)
  })

  it('refuses a text that is not a list, or a list without most of its models', async () => {
    for (const [text, reason] of [
      ['<html>', /is not valid JSON/],
      ['[]', /has 0 usable models/],
      [JSON.stringify(sourceOf('openai', 100)), /has 100 usable models, but at least \d+ were expected/],
      [JSON.stringify(sourceOf('elsewhere', 500)), /has 0 usable models/],
    ] as const) {
      content = text
      await expectFailure({ address: source.address }, reason)
    }
  })

  async function expectFailure(options: Omit<Parameters<typeof openTestCatalogue>[0], 'folder'>, reason: RegExp): Promise<void> {
    const { catalogue, refresh, folder } = await openTestCatalogue({ ...options, folder: await emptyFolder() })
    const error = await refresh.refresh().catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'catalogue_refresh_failed', status: 503 })
    expect((error as Error).message).to.match(reason)
    expect(catalogue.version).to.equal('2026-07-02')
    expect(catalogue.model('openai', 'gpt-5')?.context_window).to.equal(400_000)
    expect(await readdir(folder)).to.deep.equal([])
  }

  it('follows a redirect on the same host', async () => {
    const address = source.address.replace('api.json', 'moved.json')
    const { refresh } = await openTestCatalogue({ address, folder: await emptyFolder() })
    expect((await refresh.refresh()).models).to.equal(500)
  })

  it('downloads once for concurrent callers, and again for a later one', async () => {
    const { refresh } = await openTestCatalogue({ address: source.address, folder: await emptyFolder() })
    const before = source.requests.length
    const [one, other] = await Promise.all([refresh.refresh(), refresh.refresh()])
    expect(one).to.equal(other)
    expect(source.requests.length - before).to.equal(1)
    await refresh.refresh()
    expect(source.requests.length - before).to.equal(2)
  })

  it('ends with the plugin', async () => {
    let arrived = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const silent = await startSource(() => arrived())
    try {
      const { refresh, stop } = await openTestCatalogue({ address: silent.address, folder: await emptyFolder() })
      const ended = refresh.refresh().catch((error: unknown) => error)
      await asked
      stop()
      const error = await ended
      expect(ServiceError.isInstance(error)).to.equal(false)
      expect((error as Error).message).to.equal('stopping')
    } finally {
      await silent.close()
    }
  })

  it('keeps a readable file in the cache', async () => {
    const { refresh, file } = await openTestCatalogue({ address: source.address, folder: await emptyFolder() })
    await refresh.refresh()
    expect((await readFile(file, 'utf8')).split('\n').filter((line) => line.includes('"model-'))).to.have.length(500)
  })
})
