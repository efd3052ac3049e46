import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, runCommandLine, type TestKernel } from '@agent-service/kernel/testing'
import { secretsToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { confirm, signUp } from '../support/api.js'
import { type ConfigurationClient, configurationClient, pathsOf } from './support/configuration-client.js'

const written = [
  'auth: { encryption_secret: "${MASTER}" }',
  'server: { log_level: error, base_url: "https://${HOST}/x" }',
  'providers:',
  '  work: { provider: groq, api_key: "${WORK_KEY}" }',
  'models:',
  '  primary: { provider: work, model: "${MODEL}" }',
  '',
].join('\n')

const environment = {
  SERVICE_AUTH_ENCRYPTION_SECRET: '',
  MASTER: 'canary-of-the-encryption-secret',
  WORK_KEY: 'canary-of-the-key',
  OTHER: 'canary-of-another-program',
  HOST: 'agents.example',
  MODEL: 'openai/gpt-oss-120b',
}

describe('references to the environment, over HTTP', function () {
  this.timeout(30_000)
  let folder: string
  let file: string
  let kernel: TestKernel
  let session: ConfigurationClient

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'references-'))
    file = path.join(folder, 'data', 'config.yaml')
    await mkdir(path.dirname(file))
    await writeFile(file, written)
    kernel = await createTestKernel({ folder, environment })
    const admin = await signUp(kernel.url, 'ada', undefined, await kernel.auth.pendingSetupCode())
    await confirm(admin)
    session = configurationClient(kernel.url, admin.token)
  })
  beforeEach(() => writeFile(file, written))
  after(async () => {
    await kernel.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('secret fields show theirs alone, others the effective value with theirs', async () => {
    const answer = await session.get()
    expect(answer['values']).to.deep.nested.include({
      'server.base_url': 'https://agents.example/x',
      'models.primary.model': 'openai/gpt-oss-120b',
      'providers.work.api_key': { is_set: true, source: 'file', reference: '${WORK_KEY}' },
      'auth.encryption_secret': { is_set: true, source: 'file', reference: '${MASTER}' },
    })
    expect(answer['references']).to.deep.equal({
      'auth.encryption_secret': '${MASTER}',
      'server.base_url': '${HOST}',
      'providers.work.api_key': '${WORK_KEY}',
      'models.primary.model': '${MODEL}',
    })
    expect(answer['saved']).to.deep.nested.include({ 'server.base_url': 'https://${HOST}/x' })
    expect(JSON.stringify(answer)).to.not.contain('canary')
  })

  const attempts: readonly (readonly [path: string, value: unknown])[] = [
    ['server.base_url', 'https://a.example/${OTHER}'],
    ['server.cors_origins', 'https://${OTHER}'],
    ['server.trusted_proxies', '${OTHER}'],
    ['server.timezone', '${OTHER}'],
    ['server.log_level', '${OTHER}'],
    ['server.port', '${OTHER}'],
    ['models.primary.model', '${OTHER}'],
    ['models.primary.provider', '${OTHER}'],
    ['models.primary.api', '${OTHER}'],
    ['providers.work.base_url', 'https://a.example/${OTHER}'],
    ['providers.work.aws_region', '${OTHER}'],
    ['providers.work.adapter', '${OTHER}'],
    ['mail.host', '${OTHER}'],
    ['mail.user', '${OTHER}'],
    ['mail.from', '${OTHER}@a.example'],
    ['telemetry.otlp_url', 'https://a.example/${OTHER}'],
    ['sso.client_id', '${OTHER}'],
    ['plugins.settings.some-plugin.label', '${OTHER}'],
    ['plugins.required', ['${OTHER}']],
  ]
  for (const [place, value] of attempts)
    it(`a new one is refused in ${place} with 422 and the path; it is not written, and nothing of the variable is told`, async () => {
      const { status, body } = await session.patch({ set: { [place]: value } })
      expect([status, body['code']]).to.deep.equal([422, 'configuration_patch_invalid'])
      expect(
        pathsOf(body['errors']).some((found) => found.startsWith(place)),
        JSON.stringify(body),
      ).to.equal(true)
      const checked = await session.check({ set: { [place]: value } })
      expect(checked.status).to.equal(200)
      expect(pathsOf(checked.body['problems']).some((found) => found.startsWith(place))).to.equal(true)
      expect(JSON.stringify([body, checked.body])).to.not.contain('canary')
      expect(await readFile(file, 'utf8')).to.equal(written)
    })

  it('a new one is taken in secret fields, and one that is there may stay', async () => {
    const set = {
      'providers.home': { provider: 'groq', api_key: '${OTHER}' },
      'mail.password': '${OTHER}',
      'server.base_url': 'http://${HOST}',
    }
    const { status, body } = await session.patch({ set })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(await readFile(file, 'utf8'))
      .to.contain('api_key: ${OTHER}')
      .and.contain('http://${HOST}')
  })

  it('one to the encryption secret is refused everywhere else, also once the field names another variable', async () => {
    for (const name of ['MASTER', 'SERVICE_AUTH_ENCRYPTION_SECRET']) {
      for (const place of [
        'providers.work.api_key',
        'mail.password',
        'models.primary.extra_params.x',
        'plugins.settings.some-plugin.key',
      ]) {
        const { status, body } = await session.patch({ set: { [place]: `\${${name}}` } })
        expect([status, pathsOf(body['errors'])], place).to.deep.equal([422, [place]])
      }
    }
    expect((await session.patch({ set: { 'auth.encryption_secret': '${OTHER}' } })).status).to.equal(200)
    const { status, body } = await session.patch({ set: { 'providers.work.api_key': '${MASTER}' } })
    expect([status, pathsOf(body['errors'])]).to.deep.equal([422, ['providers.work.api_key']])
  })

  it('the encryption secret is resolved for no plugin', () => {
    const secrets = kernel.container.resolve(secretsToken)
    expect(secrets.resolve('${WORK_KEY}')).to.deep.equal({ value: 'canary-of-the-key' })
    for (const name of ['MASTER', 'SERVICE_AUTH_ENCRYPTION_SECRET'])
      expect(secrets.resolve(`a\${${name}}`)).to.deep.equal({ missing: name })
  })

  it('a file that names the encryption secret elsewhere is refused at the start with 78, the path and how to mend it', async () => {
    await writeFile(file, written.replace('${WORK_KEY}', '${MASTER}').replace('${MODEL}', '${MASTER}'))
    const ended = await runCommandLine(['start'], { workingDirectory: folder, environment: { HOME: folder, ...environment } })
    expect(ended.status, ended.output).to.equal(78)
    expect(ended.output).to.match(/providers\.work\.api_key: refers to \$\{MASTER\}.*Use another variable for this field \(4:\d+\)/)
    expect(ended.output).to.match(/models\.primary\.model: refers to \$\{MASTER\}/)
    expect(ended.output).to.not.contain('canary')
  })
})
