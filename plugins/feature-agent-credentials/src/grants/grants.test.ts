import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { expect } from 'chai'
import { problemWithVariable, variableFor } from '../common/environment-names.js'
import { agentId, codeOf, itemSource, localSource, type OpenPlugin, openPlugin, use } from '../test-support/open-plugin.js'
import { field } from '../test-support/shed-vault.js'
import { nameFrom } from './sources.js'

const { signal } = new AbortController()

describe('names of variables for credentials', () => {
  for (const name of [
    ...['PATH', 'HOME', 'LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'BASH_ENV', 'PYTHONPATH'],
    ...[
      'PYTHONSTARTUP',
      'AGENT_SERVICE_URL',
      'SERVICE_AUTH_ENCRYPTION_SECRET',
      'HTTP_PROXY',
      'https_proxy',
      'no_proxy',
      'all_proxy',
      'path',
    ],
    ...['GIT_SSH_COMMAND', 'GIT_CONFIG_COUNT', 'npm_config_registry', 'IFS', 'SSL_CERT_FILE', 'PERL5OPT', 'GLIBC_TUNABLES', '_'],
    ...['PIP_INDEX_URL', 'pip_extra_index_url', 'CARGO_BUILD_RUSTC_WRAPPER', 'MAVEN_OPTS', 'RSYNC_RSH', 'AWS_CA_BUNDLE'],
    ...['A B', 'A=B', '1A', '', 'Ä', 'A'.repeat(101), 'A\nB'],
  ])
    it(`refuse ${JSON.stringify(name.slice(0, 30))}`, () => expect(problemWithVariable(name)).to.be.a('string'))

  it('take others', () => {
    for (const name of ['GITHUB_TOKEN', 'github_token', 'AWS_SECRET_ACCESS_KEY', 'PGPASSWORD', 'NODE_AUTH_TOKEN', '_TOKEN'])
      expect(problemWithVariable(name), name).to.equal(undefined)
  })

  it('are made of names, unless that is one of those', () => {
    expect(variableFor('github-work', 'api.token')).to.equal('GITHUB_WORK_API_TOKEN')
    expect(variableFor('http', 'proxy')).to.equal(null)
    expect(variableFor('ld', 'preload')).to.equal(null)
  })
})

describe('names for agents', () => {
  it('are made of titles', () => {
    expect(['GitHub, Büro!', '1Password', '日本', '--x--', 'a'.repeat(80)].map(nameFrom)).to.deep.equal([
      ...['github-buro', 'password', 'credential', 'x', 'a'.repeat(64)],
    ])
  })
})

describe('grants to agents', () => {
  let plugin: OpenPlugin

  beforeEach(async () => {
    plugin = await openPlugin()
  })
  afterEach(() => plugin.host.dispose())

  const problemsOf = async (promise: Promise<unknown>): Promise<readonly string[]> => {
    try {
      await promise
    } catch (error) {
      return (error as { readonly problems: readonly { readonly path: string }[] }).problems.map(({ path }) => path)
    }
    throw new Error('The promise was not rejected.')
  }

  it('bind fields as they are told, and refuse what a process must not get', async () => {
    const source = localSource(await plugin.github())
    const bind = (...bindings: readonly { field: string; variable: string | null; as?: 'value' | 'file' }[]) =>
      plugin.grant(source, { bindings: bindings.map((binding) => ({ ...binding })) })
    expect(await problemsOf(bind({ field: 'token', variable: 'LD_PRELOAD' }))).to.deep.equal(['/bindings/0/variable'])
    expect(await problemsOf(bind({ field: 'nothing', variable: 'TOKEN' }))).to.deep.equal(['/bindings/0/field'])
    expect(await problemsOf(bind({ field: 'token', variable: 'X' }, { field: 'user', variable: 'X' }))).to.deep.equal([
      '/bindings/1/variable',
    ])
    expect(await problemsOf(bind({ field: 'token', variable: 'X' }, { field: 'token', variable: 'Y' }))).to.deep.equal([
      '/bindings/1/field',
    ])
    const grant = await bind({ field: 'token', variable: 'GH_TOKEN_FILE', as: 'file' })
    expect(grant['fields']).to.deep.equal([
      { name: 'user', secret: false, variable: null, as: 'value' },
      { name: 'token', secret: true, variable: 'GH_TOKEN_FILE', as: 'file' },
    ])
  })

  it('share no variable between the grants of one agent', async () => {
    await plugin.grant(localSource(await plugin.github()))
    const other = localSource(await plugin.github({ name: 'github-two' }))
    expect(await problemsOf(plugin.grant(other, { bindings: [{ field: 'token', variable: 'GITHUB_TOKEN' }] }))).to.deep.equal([
      '/bindings/0/variable',
    ])
    const grant = await plugin.grant(other)
    expect((grant['fields'] as readonly { readonly variable: string | null }[]).map(({ variable }) => variable)).to.deep.equal([
      ...['GITHUB_TWO_USER', null],
    ])
  })

  it('have a name that no other grant of the agent has', async () => {
    const source = localSource(await plugin.github())
    await plugin.grant(source)
    expect(await codeOf(plugin.grant(source))).to.equal('credential_name_taken')
    expect(await plugin.grant(source, { name: 'github-again' })).to.deep.include({ name: 'github-again' })
    expect(await codeOf(plugin.github())).to.equal('credential_name_taken')
  })

  it('are for agents of the user alone', async () => {
    const source = localSource(await plugin.github())
    expect(await codeOf(plugin.grant(source, { agent_id: 'agent-of-bob' }))).to.equal('not_found')
  })

  it('can be changed for longer, shorter and other variables', async () => {
    const grant = await plugin.grant(localSource(await plugin.github()), { expires_in_secs: 60 })
    const change = (body: object) =>
      plugin.request('PATCH /api/credentials/grants/{grant_id}', { params: { grant_id: String(grant['id']) }, body: { ...body } })
    expect(await change({ expires_in_secs: null })).to.deep.include({ expires_at: null })
    expect(await change({ once: true, bindings: [{ field: 'token', variable: 'TOKEN' }] })).to.deep.include({ once: true })
    expect((await plugin.credentials.granted(use))[0]?.fields.map(({ variable }) => variable)).to.deep.equal([null, 'TOKEN'])
    await plugin.credentials.open(['github'], use, { signal })
    expect(await codeOf(change({ once: false }))).to.equal('not_found')
  })

  it('of a vault’s item name its fields, and store no value', async () => {
    plugin.vault.items.set('item-1', { title: 'Büro Wi-Fi', fields: [field('password', 'wifi-canary-1')] })
    const grant = await plugin.grant(itemSource(await plugin.connect()))
    expect(grant).to.deep.include({ name: 'buro-wi-fi', title: 'Büro Wi-Fi' })
    const { events } = plugin.host.services
    expect(JSON.stringify([grant, events, await plugin.items('GET /api/credentials/log')])).not.to.contain('wifi-canary-1')
    expect(await codeOf(plugin.grant(itemSource(await plugin.connect(), 'item-9')))).to.equal('vault_item_not_found')
  })

  it('are deleted by a job once their time is over', async () => {
    await plugin.grant(localSource(await plugin.github()), { expires_in_secs: 60 })
    await plugin.host.services.clock.advance(60_000)
    await plugin.host
      .contributed(schedulerJobs)
      .find(({ id }) => id.endsWith('end-grants'))
      ?.run({ signal, epoch: 1 })
    const [entry] = await plugin.items('GET /api/credentials/log')
    expect(entry).to.deep.include({ kind: 'ended', name: 'github', agent_id: agentId })
  })

  it('are refused beyond their quota', async () => {
    for (let index = 0; index < 200; index += 1) await plugin.github({ name: `n${index}` })
    expect(await codeOf(plugin.github({ name: 'one-more' }))).to.equal('quota_exceeded')
    const [first] = await plugin.items('GET /api/credentials')
    await plugin.request('DELETE /api/credentials/{credential_id}', { params: { credential_id: String(first?.['id']) } })
    await plugin.github({ name: 'one-more' })
  })
})
