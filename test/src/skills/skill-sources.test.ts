import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'

const skillText = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`
const base64 = (text: string): string => Buffer.from(text).toString('base64')

interface Seen {
  readonly name: string
  readonly source: string
  readonly description: string
  readonly shadowed_by: string | null
  readonly problem: { readonly file: string; readonly line: number; readonly message: string } | null
  readonly warnings: readonly { readonly line: number; readonly message: string }[]
}

/** What is read, as soon as it fits; changes on disk are noticed within a second. */
async function soon<Value>(read: () => Promise<Value>, fits: (value: Value) => boolean): Promise<Value> {
  const end = Date.now() + 20_000
  for (;;) {
    const value = await read()
    if (fits(value) || Date.now() > end) return value
    await setTimeout(50)
  }
}

describe('skills over HTTP', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let admin: Person
  let person: Person
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    admin = await agents.person('ada')
    person = await agents.person('bob')
  })
  after(() => agents?.close())

  const named = async (who: Person, name: string, query = ''): Promise<readonly Seen[]> =>
    ((await who.request('GET', `/api/skills${query}`)).body['items'] as readonly Seen[]).filter((skill) => skill.name === name)
  const install = (who: Person, prefix: string, name: string, description: string, more: object = {}) =>
    who.request('POST', `${prefix}/install`, {
      files: [{ path: 'SKILL.md', content: base64(skillText(name, description)) }],
      from: name,
      ...more,
    })

  it('come into the place of one of an earlier source, which agents have by its name, only if the person says so', async () => {
    const files = [{ path: 'SKILL.md', content: base64(skillText('Plan_a-Trip', 'Sets up printers.')) }]
    for (const body of [{ files }, { files, agent_id: person.agentId }]) {
      const refused = await person.request('POST', '/api/skills/install', body)
      expect([refused.status, refused.body['code']]).to.deep.equal([409, 'skill_exists'])
      expect(refused.body['detail']).to.match(/bundled skill “plan-a-trip”/)
    }
    expect((await admin.request('POST', '/api/admin/skills/install', { files })).status).to.equal(409)
    expect((await named(person, 'plan-a-trip')).map(({ source, shadowed_by }) => [source, shadowed_by])).to.deep.equal([['bundled', null]])
    expect((await person.request('POST', '/api/skills/install', { files, replace: true })).status).to.equal(201)
    expect((await person.request('DELETE', '/api/skills/user/plan-a-trip')).status).to.equal(204)
  })

  it('of later sources take the place of those of earlier ones, until they are removed or break', async () => {
    const name = 'meeting-notes'
    expect((await install(admin, '/api/admin/skills', name, 'The notes of the house.', { replace: true })).status).to.equal(201)
    expect((await install(person, '/api/skills', name, 'My notes.', { replace: true })).status).to.equal(201)
    const ofOne = { agent_id: person.agentId, replace: true }
    expect((await install(person, '/api/skills', name, 'Notes of one agent.', ofOne)).status).to.equal(201)
    const sources = async (who: Person, query = '') =>
      (await named(who, name, query)).map(({ source, shadowed_by }) => [source, shadowed_by])
    expect(await sources(person, `?agent_id=${person.agentId}`)).to.deep.equal([
      ['bundled', 'agent'],
      ['shared', 'agent'],
      ['user', 'agent'],
      ['agent', null],
    ])
    expect(await sources(person)).to.deep.equal([
      ['bundled', 'user'],
      ['shared', 'user'],
      ['user', null],
    ])
    expect(await sources(admin)).to.deep.equal([
      ['bundled', 'shared'],
      ['shared', null],
    ])
    const shared = path.join(agents.kernel.folder, 'data/skills', name, 'SKILL.md')
    await writeFile(shared, '---\nname: meeting-notes\ndescription: []\n---\n')
    const [, broken] = await soon(
      () => named(admin, name),
      ([, skill]) => skill?.problem != null,
    )
    expect(broken?.problem).to.include({ file: 'SKILL.md' })
    expect(broken?.problem?.line).to.be.greaterThan(1)
    expect(await sources(admin)).to.deep.equal([
      ['bundled', null],
      ['shared', null],
    ])
    expect((await person.request('DELETE', `/api/skills/user/${name}`)).status).to.equal(204)
    expect((await admin.request('DELETE', `/api/admin/skills/${name}`)).status).to.equal(204)
    expect(await sources(person)).to.deep.equal([['bundled', null]])
  })

  it('that an operator puts into the shared folder are there without a restart', async () => {
    const folder = path.join(agents.kernel.folder, 'data/skills/by-hand')
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, 'SKILL.md'), skillText('by-hand', 'Put there.'))
    const found = await soon(
      () => named(person, 'by-hand'),
      ({ length }) => length > 0,
    )
    expect(found.map(({ source }) => source)).to.deep.equal(['shared'])
    const check = await person.request('GET', '/api/skills/shared/by-hand/check')
    expect(check.body).to.include({ state: 'not_installed', installation: null })
  })

  it('of collections are taken as their authors meant them, and the bad ones alone are not', async () => {
    const shared = path.join(agents.kernel.folder, 'data/skills')
    const texts = {
      'case-colon': '---\nname: case-colon\ndescription: Plans a change. IMPORTANT: ask first.\n---\n\n# Body\n',
      'case-open': 'name: case-open\ndescription: Formats tables.\n---\n\n# Body\n',
      'case-nested': '---\nname: case-nested\ndescription: Works.\nlicense:\nmetadata: {"claw":{"emoji":"🐙"}}\n---\n\n# Body\n',
    }
    for (const [name, text] of Object.entries(texts)) {
      await mkdir(path.join(shared, name), { recursive: true })
      await writeFile(path.join(shared, name, 'SKILL.md'), text)
    }
    await soon(
      () => named(person, 'case-open'),
      ({ length }) => length > 0,
    )
    const seen = await Promise.all(Object.keys(texts).map(async (name) => (await named(person, name))[0]))
    expect(seen.map((skill) => skill?.description)).to.deep.equal(['Plans a change. IMPORTANT: ask first.', '', 'Works.'])
    expect(seen.map((skill) => skill?.problem?.line)).to.deep.equal([undefined, 1, undefined])
    expect(seen.map((skill) => skill?.warnings.map(({ line }) => line))).to.deep.equal([[3], [], [5]])
    const files = [{ path: 'SKILL.md', content: base64(texts['case-colon']) }]
    const checked = await person.request('POST', '/api/skills/validate', { files })
    expect(checked.body['warnings']).to.have.length(1)
    const refused = await person.request('POST', '/api/skills/install', {
      files: [{ path: 'SKILL.md', content: base64(texts['case-open']) }],
    })
    expect(refused.status).to.equal(422)
    expect(refused.body['detail'] ?? refused.body['message']).to.match(/SKILL.md:1: the first line “---” is missing/)
  })

  it('are created from a template, edited over what was read, checked and removed', async () => {
    const created = await person.request('POST', '/api/skills', { name: 'weekly-report', description: 'Writes it: “every” week.' })
    expect(created.status, JSON.stringify(created.body)).to.equal(201)
    expect(created.body).to.deep.include({ source: 'user', description: 'Writes it: “every” week.', problem: null })
    expect((await person.request('POST', '/api/skills', { name: 'weekly-report', description: 'Again.' })).body).to.include({
      code: 'skill_exists',
    })
    const at = `${agents.kernel.url}/api/skills/user/weekly-report/content`
    const headers = { authorization: `Bearer ${person.token}` }
    const read = await fetch(`${at}?path=SKILL.md`, { headers })
    const etag = read.headers.get('etag') ?? ''
    expect(read.headers.get('content-disposition')).to.equal('attachment')
    const put = (file: string, body: string, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${at}?${new URLSearchParams({ path: file })}`, {
        method: 'PUT',
        body,
        headers: { ...headers, 'content-type': 'application/octet-stream', ...more },
      })
    expect((await put('SKILL.md', '# no front matter', { 'if-match': etag })).status).to.equal(422)
    expect((await put('SKILL.md', skillText('weekly-report', 'Writes it.'), { 'if-match': etag })).status).to.equal(200)
    expect((await put('SKILL.md', skillText('weekly-report', 'Mine.'), { 'if-match': etag })).status).to.equal(412)
    expect((await put('references/a.md', 'a')).status).to.equal(200)
    for (const file of ['../a.md', '/a.md', 'a\\b', '.lock/../x', 'a\u0000b']) expect((await put(file, 'x')).status, file).to.equal(422)
    const check = await person.request('GET', '/api/skills/user/weekly-report/check')
    expect(check.body).to.deep.include({ state: 'changed', added: ['references/a.md'], changed: ['SKILL.md'], removed: [] })
    expect((await person.request('POST', '/api/skills/user/weekly-report/update')).body).to.include({ code: 'skill_not_fetched' })
    expect((await person.request('DELETE', '/api/skills/user/weekly-report/content?path=SKILL.md')).status).to.equal(422)
    expect((await person.request('DELETE', '/api/skills/user/weekly-report')).status).to.equal(204)
    expect((await person.request('GET', '/api/skills/user/weekly-report')).status).to.equal(404)
  })

  it('of one person and of an agent are for nobody else, and shared ones are changed by administrators alone', async () => {
    expect((await install(person, '/api/skills', 'mine', 'Mine.')).status).to.equal(201)
    expect((await install(person, '/api/skills', 'mine-too', 'Mine.', { agent_id: person.agentId })).status).to.equal(201)
    expect((await admin.request('GET', '/api/skills/user/mine')).status).to.equal(404)
    expect((await admin.request('GET', `/api/skills/agent/mine-too?agent_id=${person.agentId}`)).status).to.equal(404)
    expect((await admin.request('GET', `/api/skills?agent_id=${person.agentId}`)).status).to.equal(404)
    expect((await install(admin, '/api/skills', 'theirs', 'Mine.', { agent_id: person.agentId })).status).to.equal(404)
    expect((await install(person, '/api/admin/skills', 'mine', 'Mine.')).status).to.equal(403)
    expect((await person.request('DELETE', '/api/admin/skills/by-hand')).status).to.equal(403)
    await person.request('DELETE', `/api/agents/${person.agentId}`)
  })

  it('from an archive that breaks a rule leave nothing, and an address that is not public is not asked', async () => {
    const before = (await person.request('GET', '/api/skills?limit=200')).body
    const upload = (body: Uint8Array | string) =>
      fetch(`${agents.kernel.url}/api/skills/upload?from=evil.zip`, {
        ...{ method: 'POST', body: typeof body === 'string' ? body : new Uint8Array(body) },
        headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/zip' },
      })
    for (const body of ['', 'PK', 'PK\u0003\u0004 not a zip', 'text', Buffer.from([0x1f, 0x8b, 8, 0])])
      expect((await upload(body)).status).to.equal(422)
    const outside = {
      files: [
        { path: 'SKILL.md', content: base64(skillText('evil', 'E.')) },
        { path: '../evil.md', content: '' },
      ],
    }
    expect((await person.request('POST', '/api/skills/install', outside)).body).to.include({ code: 'skill_refused' })
    for (const url of ['https://127.0.0.1/a.zip', 'https://localhost/a.zip', 'https://169.254.169.254/a.zip', 'https://[::1]/a.zip'])
      expect((await person.request('POST', '/api/skills/install', { url })).body, url).to.include({ code: 'http_address_refused' })
    expect((await person.request('POST', '/api/skills/install', { url: 'http://example.org/a.zip' })).status).to.equal(422)
    expect((await person.request('POST', '/api/skills/install', {})).status).to.equal(422)
    expect((await person.request('GET', '/api/skills?limit=200')).body).to.deep.equal(before)
    const validated = await person.request('POST', '/api/skills/validate', {
      files: [{ path: 'SKILL.md', content: base64(skillText('fine', 'F.')) }],
    })
    expect(validated.body).to.include({ name: 'fine', files: 1 })
  })
})
