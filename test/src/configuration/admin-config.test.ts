import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'

const written = [
  '# kept',
  'server:',
  '  log_level: error',
  '  port: 4000',
  'providers:',
  '  work:',
  '    provider: groq',
  '    api_key: ${WORK_KEY}',
  '  home: { provider: groq, api_key: canary-in-the-file }',
  'models:',
  '  primary: { provider: work, model: v/m, temperature: 1, extra_params: { temperature: 2 } }',
  '',
].join('\n')

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

describe('/api/admin/config', function () {
  this.timeout(30_000)
  let folder: string
  let file: string
  let kernel: TestKernel
  let admin: Api

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-admin-config-'))
    file = path.join(folder, 'data', 'config.yaml')
    await mkdir(path.dirname(file))
    await writeFile(file, written)
    kernel = await createTestKernel({ folder, environment: { WORK_KEY: 'canary-in-the-environment' } })
    admin = await signUp(kernel.url, 'ada')
    await confirm(admin)
  })
  beforeEach(() => writeFile(file, written))
  after(async () => {
    await kernel.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const call = async (
    method: string,
    target: string,
    options: { body?: unknown; match?: string; token?: string } = {},
  ): Promise<Answer> => {
    const response = await fetch(`${kernel.url}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${options.token ?? admin.token}`,
        ...(options.match === undefined ? {} : { 'if-match': options.match }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> }
  }
  const get = async (): Promise<Record<string, unknown>> => (await call('GET', '/api/admin/config')).body
  const revision = async (): Promise<string> => String((await get())['revision'])
  const patch = async (body: unknown, match?: string): Promise<Answer> =>
    call('PATCH', '/api/admin/config', { body, match: match ?? (await revision()) })
  const at = (value: unknown, dotted: string): unknown =>
    dotted.split('.').reduce<unknown>((holder, name) => (holder as Record<string, unknown> | undefined)?.[name], value)

  describe('GET', () => {
    it('returns the running configuration, the file, and the source of each value', async () => {
      const { status, headers, body } = await call('GET', '/api/admin/config')
      expect(status).to.equal(200)
      expect(body['revision']).to.equal(createHash('sha256').update(written).digest('hex'))
      expect(headers.get('etag')).to.equal(`"${String(body['revision'])}"`)
      expect(at(body['values'], 'server.port')).to.equal(0)
      expect(at(body['saved'], 'server.port')).to.equal(4000)
      expect(at(body['values'], 'server.max_body_size_bytes')).to.equal(104857600)
      expect(at(body['saved'], 'server.max_body_size_bytes')).to.equal(undefined)
      expect(body['sources']).to.include({
        'server.port': 'environment',
        'server.log_level': 'file',
        'server.host': 'default',
        'models.primary.model': 'file',
        'models.primary.retry.max_retries': 'default',
      })
      expect(body['locked']).to.deep.include({ path: 'server.port', variable: 'SERVICE_SERVER_PORT' })
      expect(body['file']).to.equal(file)
      const lines = body['lines'] as Readonly<Record<string, number>>
      expect(written.split('\n')[(lines['server.log_level'] ?? 0) - 1]).to.contain('log_level: error')
      expect(lines).to.not.have.any.keys('server.host')
      expect(at(body['schema'], 'properties.server.properties.port.default')).to.equal(3001)
      expect(body).to.deep.include({ restart_required: false, pending: [], problems: [] })
    })

    it('shows no secret, but whether it is set, where it comes from and its reference', async () => {
      const answer = await get()
      expect(JSON.stringify(answer)).to.not.match(/canary|a secret for tests alone/)
      const expected = { is_set: true, source: 'file', reference: '${WORK_KEY}' }
      expect(at(answer['values'], 'providers.work.api_key')).to.deep.equal(expected)
      expect(at(answer['saved'], 'providers.work.api_key')).to.deep.equal(expected)
      expect(at(answer['values'], 'providers.home.api_key')).to.deep.equal({ is_set: true, source: 'file' })
      expect(at(answer['values'], 'auth.encryption_secret')).to.deep.equal({ is_set: true, source: 'environment' })
      expect(at(answer['values'], 'database.url')).to.deep.equal({ is_set: false, source: 'default' })
      expect(at(answer['saved'], 'database')).to.equal(undefined)
    })

    it('lists the values that a restart would change, and the problems that would prevent it', async () => {
      await writeFile(file, written.replace('log_level: error', 'log_level: warn').replace('port: 4000', 'port: 4001'))
      expect(await get()).to.deep.include({ restart_required: true, pending: ['server.log_level'], problems: [] })
      await writeFile(file, `${written}unknown: 1\n`)
      const broken = await get()
      expect((broken['problems'] as readonly { readonly path: string }[]).map((problem) => problem.path)).to.deep.equal(['unknown'])
      await writeFile(file, '{')
      const unreadable = await get()
      expect(unreadable).to.deep.include({ saved: {}, restart_required: true })
      expect(unreadable['problems']).to.have.length.greaterThan(0)
      expect(at(unreadable['values'], 'server.log_level')).to.equal('error')
    })

    it('hides values at unknown keys and in the wrong place', async () => {
      await writeFile(file, 'providers: { work: { api_kye: canary-one } }\nvault: canary-two\nother: [canary-three]\n')
      const answer = await get()
      expect(JSON.stringify(answer['saved'])).to.not.contain('canary')
      expect(at(answer['saved'], 'providers.work.api_kye')).to.deep.equal({ is_set: true, source: 'file' })
    })
  })

  describe('PATCH', () => {
    it('writes the change and nothing else, for the next start', async () => {
      const { status, headers, body } = await patch({
        set: { 'server.log_level': 'info', 'server.base_url': 'https://a.example' },
        reset: ['models'],
      })
      expect(status, JSON.stringify(body)).to.equal(200)
      const text = await readFile(file, 'utf8')
      expect(text).to.equal(
        written
          .replace('  log_level: error\n', '')
          .replace('  port: 4000\n', '  port: 4000\n  base_url: https://a.example\n')
          .replace(/models:\n.*\n/, ''),
      )
      expect(body).to.deep.equal({ revision: createHash('sha256').update(text).digest('hex'), restart_required: true, locked: [] })
      expect(headers.get('etag')).to.equal(`"${String(body['revision'])}"`)
      expect(await readFile(`${file}.previous`, 'utf8')).to.equal(written)
      expect((await stat(file)).mode & 0o777).to.equal(0o600)
      const after = await get()
      expect(after['pending']).to.have.members(['server.log_level', 'server.base_url', 'models.primary'])
      expect(at(after['values'], 'server.log_level')).to.equal('error')
    })

    it('accepts the revision as an entity tag or bare, and lists paths that a variable locks', async () => {
      const quoted = await patch({ set: { 'server.port': 4002 } }, `"${await revision()}"`)
      expect([quoted.status, quoted.body['locked']]).to.deep.equal([200, [{ path: 'server.port', variable: 'SERVICE_SERVER_PORT' }]])
      expect(await get()).to.deep.include({ restart_required: false })
    })

    it('refuses a stale revision with 412 and a missing one with 428, and writes nothing', async () => {
      const read = await revision()
      await writeFile(file, `${written}# by hand\n`)
      const stale = await patch({ set: { 'server.log_level': 'warn' } }, read)
      expect([stale.status, stale.body['code']]).to.deep.equal([412, 'stale_config'])
      for (const match of [undefined, '*', '""']) {
        const missing = await call('PATCH', '/api/admin/config', { body: { reset: [] }, ...(match === undefined ? {} : { match }) })
        expect([missing.status, missing.body['code']]).to.deep.equal([428, 'revision_required'])
      }
      expect(await readFile(file, 'utf8')).to.equal(`${written}# by hand\n`)
    })

    it('refuses what the service would not start with, with each path, and writes nothing', async () => {
      const { status, body } = await patch({ set: { 'server.port': 'many', 'models.primary.provider': 'nobody', 'server.prot': 1 } })
      expect([status, body['code']]).to.deep.equal([422, 'configuration_patch_invalid'])
      const paths = (body['errors'] as readonly { readonly path: string }[]).map((error) => error.path)
      expect(paths).to.include.members(['server.port', 'server.prot'])
      expect(await readFile(file, 'utf8')).to.equal(written)
    })

    it('refuses a secret as it is shown, and shows none in the refusal', async () => {
      const { status, body } = await patch({ set: { 'providers.home.api_key': { is_set: true, source: 'file' } } })
      expect(status).to.equal(422)
      expect(JSON.stringify(body)).to.not.contain('canary')
    })

    it('refuses a body that is not a patch', async () => {
      for (const body of [{ set: [] }, { reset: 'server.port' }, { replace: {} }]) expect((await patch(body)).status).to.equal(422)
    })
  })

  describe('POST check', () => {
    it('checks the file, or the file with a patch, and writes nothing', async () => {
      const asItIs = await call('POST', '/api/admin/config/check', { body: {} })
      expect(asItIs.status).to.equal(200)
      expect(asItIs.body['problems']).to.deep.equal([])
      expect(asItIs.body['overlaps']).to.deep.equal([
        { path: 'models.primary.extra_params.temperature', typed: 'temperature', custom: 'temperature' },
      ])
      const { body } = await call('POST', '/api/admin/config/check', {
        body: { set: { 'server.port': -1 }, reset: ['models.primary.extra_params'] },
      })
      expect((body['problems'] as readonly { readonly path: string }[]).map((problem) => problem.path)).to.deep.equal(['server.port'])
      expect(body['overlaps']).to.deep.equal([])
      expect(await readFile(file, 'utf8')).to.equal(written)
    })
  })

  describe('POST restart', () => {
    it('is refused with every problem while the saved configuration would not start', async () => {
      await writeFile(file, `${written}unknown: 1\nother: 2\n`)
      const { status, body } = await call('POST', '/api/admin/restart')
      expect([status, body['code']]).to.deep.equal([422, 'restart_refused'])
      expect((body['errors'] as readonly { readonly path: string }[]).map((error) => error.path)).to.deep.equal(['unknown', 'other'])
    })

    it('is passed on to the process that started the kernel, which runs until it is stopped', async () => {
      const { status, body } = await call('POST', '/api/admin/restart')
      expect([status, body]).to.deep.equal([202, { status: 'restarting', work: { calls: 0, requests: 0, resumes: 0, ends: 0 } }])
      await kernel.restartOrdered
      expect((await fetch(`${kernel.url}/readyz`)).status).to.equal(200)
    })
  })

  it('is for administrators, whatever the body is', async () => {
    const bob = await signUp(kernel.url, 'bob')
    for (const [method, target] of [
      ['GET', '/api/admin/config'],
      ['PATCH', '/api/admin/config'],
      ['POST', '/api/admin/config/check'],
      ['POST', '/api/admin/restart'],
    ] as const) {
      const { status, body } = await call(method, target, { token: bob.token, ...(method === 'GET' ? {} : { body: { set: 1 } }) })
      expect([status, body['code']], `${method} ${target}`).to.deep.equal([403, 'forbidden'])
      expect((await fetch(`${kernel.url}${target}`, { method })).status).to.equal(401)
    }
  })
})
