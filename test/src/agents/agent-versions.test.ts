import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { contributionsToken, ephemeralTokensToken } from '@agent-service/kernel/testing/tokens'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { type AgentsKernel, startAgentsKernel } from './support/agents-kernel.js'
import { setScript } from './support/scripted-plugin.js'

type Json = Record<string, unknown>

interface Change {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
  readonly patch?: string
}

const resources = fileURLToPath(new URL('../../../resources', import.meta.url))

describe('an agent over time', () => {
  let agents: AgentsKernel
  let shared: string
  let ada: Api

  before(async () => {
    setScript()
    shared = await mkdtemp(path.join(tmpdir(), 'agent-service-shared-'))
    await cp(resources, shared, { recursive: true })
    agents = await startAgentsKernel({
      environment: { SERVICE_AUTH_ALLOW_REGISTRATION: 'true', SERVICE_STORAGE_SHARED_CONFIG_DIR: shared },
    })
    ada = await signUp(agents.kernel.url, 'ada')
  })
  after(async () => {
    await agents?.close()
    if (shared) await rm(shared, { recursive: true, force: true })
  })

  const make = async (handle: string, members: Json = {}, api = ada): Promise<Json> => {
    const { status, body } = await api.request('POST', '/api/agents', { handle, name: handle, ...members })
    expect(status, JSON.stringify(body)).to.equal(201)
    return body
  }
  const change = async (id: unknown, members: Json, api = ada): Promise<Json> => {
    const { status, body } = await api.request('PATCH', `/api/agents/${String(id)}`, members)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body
  }
  const read = async (target: string, api = ada): Promise<Json> => {
    const { status, body } = await api.request('GET', target)
    expect(status, `${target}: ${JSON.stringify(body)}`).to.equal(200)
    return body
  }
  const versionsOf = async (id: unknown, query = ''): Promise<readonly Json[]> =>
    (await read(`/api/agents/${String(id)}/versions${query}`))['items'] as readonly Json[]
  const diffOf = async (id: unknown, target: string): Promise<readonly Change[]> =>
    (await read(`/api/agents/${String(id)}/versions/${target}`))['changes'] as readonly Change[]
  /** With the version that a change is made against. */
  const send = async (method: string, target: string, ifMatch: string, body?: Json) => {
    const answer = await fetch(`${agents.kernel.url}${target}`, {
      method,
      headers: { authorization: `Bearer ${ada.token}`, 'if-match': ifMatch, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, etag: answer.headers.get('etag'), body: (text === '' ? {} : JSON.parse(text)) as Json }
  }
  const dataOf = async (userId: string): Promise<readonly string[]> => {
    const data = agents.kernel.container.resolve(contributionsToken).list(userData)
    const own = data.find(({ key }) => key === 'agents')?.value ?? expect.fail('no user.data')
    const lines: string[] = []
    for await (const { path: place, json } of own.export(userId, { signal: new AbortController().signal }))
      lines.push(`${place} ${JSON.stringify(json)}`)
    return lines
  }

  it('has a version for each change, with its author and the differences', async () => {
    const { id, version } = await make('history', { instructions: 'one\ntwo' })
    expect(version).to.equal(1)
    const changed = await change(id, { instructions: 'one\n2', approval: { '*': 'always' } })
    expect(changed).to.include({ version: 2, instructions: 'one\n2' })
    // Nothing differs, so nothing is made.
    expect(await change(id, { instructions: 'one\n2' })).to.include({ version: 2 })
    const token = (await ada.request('POST', '/api/auth/tokens', { name: 'script', scopes: ['read', 'write'] })).body
    const program = await fetch(`${agents.kernel.url}/api/agents/${String(id)}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${String(token['token'])}`, 'content-type': 'application/json' },
      body: '{"name":"Named by a program"}',
    })
    expect(program.status).to.equal(200)

    const versions = await versionsOf(id)
    expect(versions.map(({ number, cause, current, changed: members, by }) => ({ number, cause, current, members, by }))).to.deep.equal([
      { number: 3, cause: 'changed', current: true, members: ['name'], by: { kind: 'token', id: token['id'] } },
      {
        ...{ number: 2, cause: 'changed', current: false, members: ['instructions', 'approval'] },
        by: { kind: 'person', id: ada.userId },
      },
      { number: 1, cause: 'created', current: false, members: [], by: { kind: 'person', id: ada.userId } },
    ])
    const first = await read(`/api/agents/${String(id)}/versions/1`)
    expect(first['definition']).to.deep.include({ instructions: 'one\ntwo', approval: {}, name: 'history' })

    expect(await diffOf(id, '2/diff')).to.deep.equal([
      { path: '/instructions', before: 'one\ntwo', after: 'one\n2', patch: '@@ -1,2 +1,2 @@\n one\n-two\n+2\n' },
      { path: '/approval/*', after: 'always' },
    ])
    expect((await diffOf(id, '3/diff?against=1')).map(({ path: place }) => place)).to.deep.equal(['/name', '/instructions', '/approval/*'])
    expect((await diffOf(id, '1/diff?against=2')).map(({ path: place }) => place)).to.deep.equal(['/instructions', '/approval/*'])
    expect(await read(`/api/agents/${String(id)}/versions/1/diff`)).to.include({ number: 1, against: null })
    for (const target of ['/4', '/4/diff', '/1/diff?against=9'])
      expect((await ada.request('GET', `/api/agents/${String(id)}/versions${target}`)).status, target).to.equal(404)
  })

  it('restores a version by creating a new one', async () => {
    const { id } = await make('undone', { instructions: 'Be brief.', tools: ['get_time'] })
    await change(id, { instructions: '', tools: [], prompts: { time: null } })
    const back = await ada.request('POST', `/api/agents/${String(id)}/versions/1/restore`)
    expect([back.status, back.body['version']]).to.deep.equal([200, 3])
    expect(back.body).to.deep.include({ instructions: 'Be brief.', tools: ['get_time'], prompts: {} })
    expect((await versionsOf(id))[0]).to.deep.include({ number: 3, cause: 'restored', restored_from: 1 })
    expect((await diffOf(id, '3/diff?against=1')).length).to.equal(0)
    expect((await read(`/api/agents/${String(id)}/versions/2`))['definition']).to.deep.include({ instructions: '' })
    expect((await ada.request('POST', `/api/agents/${String(id)}/versions/9/restore`)).status).to.equal(404)
    // A handle that another agent has by now is not taken away from it.
    await change(id, { handle: 'undone-2' })
    await make('undone')
    expect((await ada.request('POST', `/api/agents/${String(id)}/versions/1/restore`)).body['code']).to.equal('agent_handle_taken')
  })

  it('refuses a change against an older version, and writes nothing', async () => {
    const { id } = await make('watched')
    const target = `/api/agents/${String(id)}`
    const first = await send('PATCH', target, '"1"', { name: 'One' })
    expect([first.status, first.etag]).to.deep.equal([200, '"2"'])
    for (const [method, place, body] of [
      ['PATCH', target, { name: 'Two' }],
      ['POST', `${target}/versions/1/restore`, undefined],
      ['DELETE', target, undefined],
    ] as const) {
      const late = await send(method, place, '"1"', body)
      expect([late.status, late.body['code']], `${method} ${place}`).to.deep.equal([412, 'stale_agent'])
    }
    expect(await read(target)).to.include({ name: 'One', version: 2 })
    expect((await send('PATCH', target, 'W/"2"', { name: 'Two' })).status).to.equal(200)
    expect((await send('PATCH', target, '*', { name: 'Three' })).status).to.equal(200)
    const race = await Promise.all(['a', 'b', 'c', 'd'].map((name) => send('PATCH', target, '"4"', { name })))
    expect(race.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412, 412])
    expect((await send('DELETE', target, '"5"')).status).to.equal(204)
  })

  it('keeps its first version and the newest hundred', async () => {
    const { id } = await make('busy')
    for (let number = 2; number <= 104; number += 1) await change(id, { description: String(number) })
    const newest = await versionsOf(id, '?limit=200')
    expect(newest.map(({ number }) => number)).to.deep.equal([...Array.from({ length: 100 }, (_, index) => 104 - index), 1])
    const page = await read(`/api/agents/${String(id)}/versions?limit=60`)
    const rest = await read(`/api/agents/${String(id)}/versions?limit=60&cursor=${encodeURIComponent(String(page['next_cursor']))}`)
    expect((rest['items'] as readonly unknown[]).length).to.equal(41)
    expect(await read(`/api/agents/${String(id)}/versions/5/diff`)).to.include({ against: 1 })
    expect((await ada.request('GET', `/api/agents/${String(id)}/versions/4`)).status).to.equal(404)
    expect((await dataOf(ada.userId)).filter((line) => line.startsWith('agent_versions/') && line.includes(String(id)))).to.have.length(101)
    expect((await ada.request('DELETE', `/api/agents/${String(id)}`)).status).to.equal(204)
    expect((await dataOf(ada.userId)).filter((line) => line.includes(String(id)))).to.deep.equal([])
  })

  it('has a folder that no other agent of the person gets, whatever its handle becomes', async () => {
    const bob = await signUp(agents.kernel.url, 'bob')
    const first = await make('clerk', {}, bob)
    expect(first['workspace']).to.equal('clerk')
    expect(await change(first['id'], { handle: 'renamed' }, bob)).to.include({ workspace: 'clerk' })
    expect(await make('clerk-3', {}, bob)).to.include({ workspace: 'clerk-3' })
    const second = await make('clerk', {}, bob)
    expect(second['workspace']).to.equal('clerk-2')
    for (const expected of ['clerk-4', 'clerk-5']) {
      const agent = (await read('/api/agents?limit=200', bob))['items'] as readonly Json[]
      const present = agent.find(({ handle }) => handle === 'clerk')
      expect((await bob.request('DELETE', `/api/agents/${String(present?.['id'])}`)).status).to.equal(204)
      expect(await make('clerk', {}, bob)).to.include({ workspace: expected })
    }
    // Another person begins anew.
    expect(await make('clerk')).to.include({ workspace: 'clerk' })
  })

  it('is changed only by people, not by a program that acts for them', async () => {
    const { id } = await make('guarded')
    const grant = await agents.kernel.container
      .resolve(ephemeralTokensToken)
      .issue({ userId: ada.userId, actor: { kind: 'agent', id: String(id), purpose: 'sandbox' } })
    const acting = async (method: string, target: string, body?: Json) => {
      const answer = await fetch(`${agents.kernel.url}${target}`, {
        method,
        headers: { authorization: `Bearer ${grant.token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as Json }
    }
    const target = `/api/agents/${String(id)}`
    for (const [method, place, body] of [
      ['POST', '/api/agents', { handle: 'own', name: 'Own' }],
      ['PATCH', target, { tools: ['everything'], approval: { '*': 'never' } }],
      ['DELETE', target, undefined],
      ['POST', `${target}/versions/1/restore`, undefined],
      ['POST', `${target}/adopt`, undefined],
    ] as const) {
      const refused = await acting(method, place, body)
      expect([refused.status, refused.body['code']], `${method} ${place}`).to.deep.equal([403, 'people_only'])
    }
    expect((await acting('GET', target)).body).to.include({ version: 1 })
    expect(await versionsOf(id)).to.have.length(1)
  })

  it('warns about names that the service lacks, and keeps them', async () => {
    const agent = await make('hopeful', {
      ...{ tools: ['get_time', 'not_there_yet'], model_group: 'absent', approval: { '*': 'always', gone: 'never' } },
      ...{ prompts: { time: null, weather: 'Say that it rains.' }, limits: { max_run_secs: 60 } },
    })
    expect(agent['tools']).to.deep.equal(['get_time', 'not_there_yet'])
    const warnings = agent['warnings'] as readonly Json[]
    expect(warnings.map(({ path: place }) => place)).to.deep.equal(['/tools/1', '/model_group', '/approval/gone', '/prompts/weather'])
    expect(
      (await change(agent['id'], { tools: ['get_time'], model_group: 'primary', approval: {}, prompts: {} }))['warnings'],
    ).to.deep.equal([])
  })

  it('refuses limits beyond those of the service, and invalid members', async () => {
    for (const [members, place] of [
      [{ limits: { max_tool_turns: 201 } }, '/limits/max_tool_turns'],
      [{ limits: { max_run_secs: 0 } }, '/limits/max_run_secs'],
      [{ limits: { more: 1 } }, '/limits/more'],
      [{ avatar: 'x'.repeat(17) }, '/avatar'],
      [{ approval: { get_time: 'sometimes' } }, '/approval/get_time'],
      [{ prompts: { time: 5 } }, '/prompts/time'],
      [{ prompts: { Time: 'x' } }, '/prompts/Time'],
      [{ workspace: '../other' }, '/workspace'],
      [{ version: 7 }, '/version'],
    ] as const) {
      const { status, body } = await ada.request('POST', '/api/agents', { handle: 'refused', name: 'Refused', ...members })
      expect([status, body['code']], JSON.stringify(members)).to.deep.equal([422, 'invalid_request'])
      expect((body['errors'] as readonly Json[]).map((error) => error['path'])).to.include(place)
    }
  })

  it('offers a shared agent that has changed with a release, and keeps a person’s changes', async () => {
    const cleo = await signUp(agents.kernel.url, 'cleo')
    const mine = (await read('/api/agents', cleo))['items'] as readonly Json[]
    const editor = mine.find(({ handle }) => handle === 'editor') ?? expect.fail('no editor')
    expect(editor['shared']).to.deep.equal({ handle: 'editor', update_available: false })
    expect(await read(`/api/agents/${String(editor['id'])}/versions/1`, cleo)).to.deep.include({
      cause: 'shared',
      by: { kind: 'service', id: null },
    })
    await change(editor['id'], { instructions: 'Mine.', handle: 'my-editor' }, cleo)

    const file = { handle: 'editor', name: 'New editor', instructions: 'Of the new release.', tools: [] }
    await agents.restart(() => writeFile(path.join(shared, 'agents', 'editor.json'), JSON.stringify(file)))
    const again = await signUp(agents.kernel.url, 'cleo')
    const target = `/api/agents/${String(editor['id'])}`
    expect(await read(target, again)).to.deep.include({
      ...{ instructions: 'Mine.', version: 2, shared: { handle: 'editor', update_available: true } },
    })
    const adopted = await again.request('POST', `${target}/adopt`)
    expect(adopted.status).to.equal(200)
    expect(adopted.body).to.deep.include({
      ...{ name: 'New editor', instructions: 'Of the new release.', handle: 'my-editor', workspace: 'editor', version: 3 },
      shared: { handle: 'editor', update_available: false },
    })
    const listed = (await read(`${target}/versions`, again))['items'] as readonly Json[]
    expect(listed.map(({ cause }) => cause)).to.deep.equal(['adopted', 'changed', 'shared'])
    const own = await make('by-hand', {}, again)
    expect(own['shared']).to.equal(null)
    expect((await again.request('POST', `/api/agents/${String(own['id'])}/adopt`)).body['code']).to.equal('no_shared_agent')
  })
})
