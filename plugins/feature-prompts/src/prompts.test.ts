import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { maxPrompts } from './common/limits.js'

interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly json: Readonly<Record<string, unknown>>
}

interface Listed {
  readonly id: string
  readonly command: string
  readonly own: boolean
  readonly owner: string | null
  readonly shadowed: boolean
}

const password = 'a long enough password'
const translate = { command: 'translate', title: 'Translate', text: 'Translate into {{language=German}}:\n{{text}}' }

describe('saved prompts', () => {
  const clock = createControlledClock({ now: Date.now() })
  let kernel: TestKernel
  let admin: string
  let ada: string
  let eve: string

  const send = async (
    token: string,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await fetch(`${kernel.url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    })
    const text = await answer.text()
    return { status: answer.status, etag: answer.headers.get('etag'), json: text === '' ? {} : JSON.parse(text) }
  }
  const codeOf = ({ status, json }: Answer): unknown => (status < 300 ? status : json['code'])
  const signUp = async (username: string): Promise<string> =>
    String((await send('', 'POST', '/api/auth/register', { username, password })).json['access_token'])
  const create = async (token: string, prompt: object): Promise<string> => {
    const { status, json } = await send(token, 'POST', '/api/prompts', prompt)
    expect(status, JSON.stringify(json)).to.equal(201)
    return String(json['id'])
  }
  const list = async (token: string, query = ''): Promise<readonly Listed[]> =>
    (await send(token, 'GET', `/api/prompts${query}`)).json['items'] as readonly Listed[]
  const share = (token: string, id: string, shared: 'me' | 'everyone') => send(token, 'PUT', `/api/admin/prompts/${id}/shared`, { shared })

  beforeEach(async () => {
    kernel = await createTestKernel({ clock, environment: { SERVICE_AUTH_ALLOW_REGISTRATION: 'true' } })
    admin = await signUp('root')
    ada = await signUp('ada')
    eve = await signUp('eve')
  })
  afterEach(() => kernel.stop())

  it('are saved, listed without their texts, read, changed and searched', async () => {
    const id = await create(ada, translate)
    await create(ada, { command: 'news', title: 'News of the day', text: 'What happened on {{date}}?' })
    const read = await send(ada, 'GET', `/api/prompts/${id}`)
    expect([read.etag, read.json['text'], read.json['excerpt']]).to.deep.equal([
      '"1"',
      translate.text,
      'Translate into {{language=German}}: {{text}}',
    ])
    expect((await list(ada)).map(({ command }) => command)).to.deep.equal(['news', 'translate'])
    expect((await list(ada))[0]).not.to.have.property('text')
    expect((await list(ada, '?search=GERMAN')).map(({ command }) => command)).to.deep.equal(['translate'])
    expect((await send(ada, 'PATCH', `/api/prompts/${id}`, { title: 'Into German' })).json).to.include({
      title: 'Into German',
      text: translate.text,
      version: 2,
    })
    const page = await send(ada, 'GET', '/api/prompts?limit=1')
    const next = await send(ada, 'GET', `/api/prompts?limit=1&cursor=${String(page.json['next_cursor'])}`)
    expect((next.json['items'] as readonly Listed[]).map(({ command }) => command)).to.deep.equal(['translate'])
    expect(next.json['next_cursor']).to.equal(null)
  })

  it('have commands that a person has once, of letters, digits and dashes', async () => {
    const id = await create(ada, translate)
    expect(codeOf(await send(ada, 'POST', '/api/prompts', translate))).to.equal('prompt_command_taken')
    await create(eve, translate)
    await create(ada, { ...translate, command: 'other' })
    expect(codeOf(await send(ada, 'PATCH', `/api/prompts/${id}`, { command: 'other' }))).to.equal('prompt_command_taken')
    for (const command of ['', '-a', 'A', 'a b', '/a', 'a'.repeat(33), 'ä'])
      expect(codeOf(await send(ada, 'POST', '/api/prompts', { ...translate, command })), command).to.equal('invalid_request')
    for (const change of [{ title: ' ' }, { text: ' \n' }, { text: 'a'.repeat(16_001) }, {}, { shared: 'everyone' }])
      expect(codeOf(await send(ada, 'PATCH', `/api/prompts/${id}`, change)), JSON.stringify(change)).to.equal('invalid_request')
  })

  it('are not changed over a change that the client has not seen', async () => {
    const id = await create(ada, translate)
    const change = (match: string, title: string) => send(ada, 'PATCH', `/api/prompts/${id}`, { title }, { 'if-match': match })
    expect((await change('"1"', 'Second')).etag).to.equal('"2"')
    const stale = await change('"1"', 'Third')
    expect([stale.status, stale.json['code']]).to.deep.equal([412, 'stale_prompt'])
    expect((await send(ada, 'GET', `/api/prompts/${id}`)).json['title']).to.equal('Second')
  })

  it('do not exist for another person, whatever is asked', async () => {
    const id = await create(ada, translate)
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { title: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['POST', '/use'],
    ] as const)
      expect((await send(eve, method, `/api/prompts/${id}${path}`, body)).status, `${method} ${path}`).to.equal(404)
    expect((await share(admin, id, 'everyone')).status).to.equal(404)
    expect(await list(eve)).to.deep.equal([])
    await send(ada, 'DELETE', `/api/prompts/${id}`)
    expect((await send(eve, 'POST', `/api/prompts/${id}/restore`)).status).to.equal(404)
    expect(codeOf(await send(ada, 'POST', `/api/prompts/${id}/restore`))).to.equal(200)
  })

  it('are shared with everyone by those who may, and own ones win', async () => {
    const shared = await create(admin, translate)
    const own = await create(ada, { ...translate, title: 'My own' })
    expect(codeOf(await share(ada, own, 'everyone'))).to.equal('forbidden')
    expect((await share(admin, shared, 'everyone')).status).to.equal(204)
    const seen = (await list(ada)).map(({ id, own: isOwn, owner, shadowed }) => [id, isOwn, owner, shadowed])
    expect(seen).to.deep.equal([
      [own, true, null, false],
      [shared, false, 'root', true],
    ])
    expect((await list(eve))[0]).to.include({ id: shared, own: false, owner: 'root', shadowed: false })
    expect((await send(eve, 'GET', `/api/prompts/${shared}`)).json['text']).to.equal(translate.text)
    for (const [method, body] of [['PATCH', { title: 'Mine' }], ['DELETE']] as const)
      expect((await send(eve, method, `/api/prompts/${shared}`, body)).status).to.equal(404)
    await share(admin, shared, 'me')
    expect(await list(eve)).to.deep.equal([])
  })

  it('are not changed for everyone by a token without the scope of administration', async () => {
    const shared = await create(admin, translate)
    await share(admin, shared, 'everyone')
    await send(admin, 'POST', '/api/auth/confirm', { password })
    const made = await send(admin, 'POST', '/api/auth/tokens', { name: 'writes', scopes: ['read', 'write'] })
    const token = String(made.json['token'])
    expect(codeOf(await send(token, 'PATCH', `/api/prompts/${shared}`, { title: 'Other' })), JSON.stringify(made.json)).to.equal(
      'forbidden',
    )
    expect(codeOf(await send(token, 'POST', '/api/prompts', { ...translate, command: 'own' }))).to.equal(201)
  })

  it('are shared under one command once, and audited without their words', async () => {
    const first = await create(admin, translate)
    await share(admin, first, 'everyone')
    const second = await create(admin, { ...translate, command: 'other' })
    await share(admin, second, 'everyone')
    expect(codeOf(await send(admin, 'PATCH', `/api/prompts/${second}`, { title: 'Secret words' }))).to.equal(200)
    await send(admin, 'DELETE', `/api/prompts/${second}`)
    expect((await list(eve)).map(({ id }) => id)).to.deep.equal([first])
    expect(codeOf(await send(admin, 'POST', `/api/prompts/${second}/restore`))).to.equal(200)
    expect(await list(eve)).to.have.length(2)
    await share(admin, second, 'me')
    const { json } = await send(admin, 'GET', '/api/admin/audit?limit=200')
    const entries = json['items'] as readonly { readonly kind: string; readonly subject_id: string }[]
    const kinds = entries.filter(({ kind }) => kind.startsWith('shared_prompt.')).map(({ kind, subject_id }) => [kind, subject_id])
    expect(kinds.reverse()).to.deep.equal([
      ['shared_prompt.published', first],
      ['shared_prompt.published', second],
      ['shared_prompt.changed', second],
      ['shared_prompt.withdrawn', second],
      ['shared_prompt.published', second],
      ['shared_prompt.withdrawn', second],
    ])
    expect(JSON.stringify(entries)).not.to.contain('Secret words')
  })

  it('are ordered by their last use, of each person alone', async () => {
    const shared = await create(admin, { ...translate, command: 'zebra' })
    await share(admin, shared, 'everyone')
    await create(ada, { ...translate, command: 'apple' })
    expect((await list(ada, '?order=used')).map(({ command }) => command)).to.deep.equal(['apple', 'zebra'])
    expect((await send(ada, 'POST', `/api/prompts/${shared}/use`)).status).to.equal(204)
    expect((await list(ada, '?order=used')).map(({ command }) => command)).to.deep.equal(['zebra', 'apple'])
    expect((await list(admin, '?order=used'))[0]).to.include({ used_at: null })
  })

  it('come back with their id after they were deleted, as long as the command is free', async () => {
    const id = await create(ada, translate)
    await send(ada, 'DELETE', `/api/prompts/${id}`)
    expect([(await list(ada)).length, (await send(ada, 'GET', `/api/prompts/${id}`)).status]).to.deep.equal([0, 404])
    expect((await send(ada, 'POST', `/api/prompts/${id}/restore`)).json).to.include({ id, text: translate.text, version: 1 })
    await send(ada, 'DELETE', `/api/prompts/${id}`)
    await create(ada, translate)
    expect(codeOf(await send(ada, 'POST', `/api/prompts/${id}/restore`))).to.equal('prompt_command_taken')
  })

  it('are imported all or none, and counted', async () => {
    await create(ada, translate)
    const news = { command: 'news', title: 'News', text: 'What is new?' }
    const take = (body: object) => send(ada, 'POST', '/api/prompts/import', body)
    expect(codeOf(await take({ prompts: [news, news] }))).to.equal('invalid_request')
    expect(codeOf(await take({ prompts: [news, { ...news, command: 'No!' }] }))).to.equal('invalid_request')
    expect(await list(ada)).to.have.length(1)
    const changed = { ...translate, text: 'Another text' }
    expect((await take({ prompts: [news, changed] })).json).to.deep.equal({ created: 1, replaced: 0, skipped: 1 })
    expect((await take({ prompts: [news, changed], existing: 'replace' })).json).to.deep.equal({ created: 0, replaced: 2, skipped: 0 })
    const many = Array.from({ length: maxPrompts - 1 }, (_, index) => ({ ...news, command: `many-${index}` }))
    expect(codeOf(await take({ prompts: many }))).to.equal('quota_exceeded')
    expect(await list(ada)).to.have.length(2)
  })

  it('make room for new ones when they are deleted', async () => {
    const many = Array.from({ length: maxPrompts }, (_, index) => ({ ...translate, command: `many-${index}` }))
    expect((await send(ada, 'POST', '/api/prompts/import', { prompts: many })).json).to.include({ created: maxPrompts })
    expect(codeOf(await send(ada, 'POST', '/api/prompts', translate))).to.equal('quota_exceeded')
    const [first] = await list(ada)
    await send(ada, 'DELETE', `/api/prompts/${first?.id}`)
    await create(ada, translate)
    expect((await send(ada, 'POST', `/api/prompts/${first?.id}/restore`)).status).to.equal(404)
  })

  it('count by the bytes of their texts', async () => {
    const text = '€'.repeat(16_000)
    const prompts = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) => ({ ...translate, text, command: `many-${from + index}` }))
    expect(codeOf(await send(ada, 'POST', '/api/prompts/import', { prompts: prompts(21, 0) }))).to.equal(200)
    expect(codeOf(await send(ada, 'POST', '/api/prompts/import', { prompts: prompts(1, 21) }))).to.equal('quota_exceeded')
  })
})
