import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { type Api, clientWith, confirm, signUp } from '../support/api.js'
import { type CredentialsKernel, startCredentialsKernel } from './support/credentials-kernel.js'

const key = 'canary-key-of-the-vendor-1234'
const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'
const place = '/api/admin/credentials'

/** Everything that a service has written below a folder, as it lies there. */
async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

describe('managed credentials', () => {
  let service: CredentialsKernel
  let admin: Api

  beforeEach(async () => {
    service = await startCredentialsKernel()
    admin = await service.admin()
  })
  afterEach(() => service?.close())

  const create = async (body: object = {}): Promise<Record<string, unknown>> => {
    const answer = await admin.request('POST', place, { brand: 'groq', label: 'Ours', api_key: key, ...body })
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
    return answer.body
  }
  const connected = (id: unknown, handles: readonly string[] = ['work']) => ({
    providers: Object.fromEntries(handles.map((handle) => [handle, { provider: 'groq', credential_id: id }])),
    models: Object.fromEntries(
      [...handles.entries()].map(([index, handle]) => [
        index === 0 ? 'primary' : handle,
        { provider: handle, model: 'm', retry: { max_retries: 0 } },
      ]),
    ),
  })
  const restartWith = async (configuration: { readonly providers: object; readonly models: object }): Promise<void> => {
    await service.restart(configuration)
    admin = await service.admin()
  }

  it('show a key only as a hint, from its creation on', async () => {
    const made = await create({ label: '  Ours  ' })
    expect(made).to.include({
      kind: 'api_key',
      brand: 'groq',
      label: 'Ours',
      hint: '1234',
      state: 'ready',
      checked_at: null,
      check_ok: null,
    })
    expect(made).to.not.have.any.keys('payload', 'generation', 'api_key', 'expires_at')
    const { body: listed } = await admin.request('GET', place)
    expect(listed).to.deep.equal({ items: [made], next_cursor: null })
    expect((await admin.request('GET', `${place}/${made['id']}`)).body).to.deep.equal(made)
    const renamed = await admin.request('PATCH', `${place}/${made['id']}`, { label: 'Theirs' })
    expect(renamed.body).to.deep.equal({ ...made, label: 'Theirs' })
    expect((await admin.request('DELETE', `${place}/${made['id']}`)).status).to.equal(204)
    for (const method of ['GET', 'DELETE'] as const) expect((await admin.request(method, `${place}/${made['id']}`)).status).to.equal(404)
    expect((await admin.request('POST', `${place}/${made['id']}/test`)).status).to.equal(404)
  })

  it('sign the calls of every connection that refers to one, after a restart too, and are readable nowhere', async () => {
    service.vendor.accepted.add(key)
    const { id } = await create()
    await restartWith(connected(String(id).toUpperCase(), ['work', 'other']))
    expect((await admin.request('GET', `${place}/${id}`)).body['connections']).to.deep.equal(['work', 'other'])
    for (const group of ['primary', 'other']) expect((await service.ask(group)).status, group).to.equal(200)
    expect(service.vendor.calls.map(({ token }) => token)).to.deep.equal([key, key])
    expect(JSON.stringify(service.kernel.log)).to.not.contain(key)
    expect(await bytesBelow(service.folder)).to.not.contain(key)
  })

  it('are tested with the smallest call, through their connection or, without one, their brand', async () => {
    const { id } = await create()
    const refused = await admin.request('POST', `${place}/${id}/test`)
    expect(refused.body).to.include({ ok: false })
    expect(String(refused.body['message'])).to.contain('authentication').and.not.contain(key)
    service.vendor.accepted.add(key)
    const { body } = await admin.request('POST', `${place}/${id}/test`)
    expect(body).to.include({ ok: true })
    expect((await admin.request('GET', `${place}/${id}`)).body).to.include({ checked_at: body['checked_at'], check_ok: true })
    await restartWith(connected(id))
    expect((await admin.request('POST', `${place}/${id}/test`)).body).to.include({ ok: true, message: 'The model m answered.' })
    const custom = await create({ brand: 'house' })
    expect((await admin.request('POST', `${place}/${custom['id']}/test`)).body).to.include({ code: 'credential_untestable' })
  })

  it('are not deleted while connections use them', async () => {
    const { id } = await create()
    await restartWith(connected(id, ['work', 'other']))
    const { status, body } = await admin.request('DELETE', `${place}/${id}`)
    expect({ status, code: body['code'] }).to.deep.equal({ status: 409, code: 'credential_in_use' })
    expect(String(body['detail'])).to.contain('“work”').and.contain('“other”')
    await restartWith({ providers: {}, models: {} })
    expect((await admin.request('DELETE', `${place}/${id}`)).status).to.equal(204)
  })

  it('get another key only from a confirmed person while connections use them, whose calls it carries', async () => {
    const { id } = await create()
    expect((await admin.request('PATCH', `${place}/${id}`, { api_key: 'canary-second' })).status).to.equal(200)
    await restartWith(connected(id))
    const { body: made } = await admin.request('POST', '/api/auth/tokens', { name: 'script', scopes: ['read', 'write', 'admin'] })
    const script = clientWith(admin.url, { token: String(made['token']), userId: admin.userId })
    service.vendor.accepted.add('canary-third')
    for (const [api, code] of [
      [script, 'session_required'],
      [admin, 'confirmation_required'],
    ] as const) {
      const { status, body } = await api.request('PATCH', `${place}/${id}`, { label: 'Mine', api_key: 'canary-third' })
      expect([status, body['code']]).to.deep.equal([403, code])
    }
    expect((await script.request('PATCH', `${place}/${id}`, { label: 'Yours' })).body).to.include({ label: 'Yours' })
    expect((await service.ask('primary')).status).to.not.equal(200)
    await confirm(admin)
    expect((await admin.request('PATCH', `${place}/${id}`, { api_key: 'canary-third' })).status).to.equal(200)
    expect((await service.ask('primary')).status).to.equal(200)
  })

  it('that are missing, or of another brand, fail calls with advice, and the start reports them', async () => {
    const { id } = await create({ brand: 'mistral' })
    for (const [credential, words] of [
      [nobody, ['“work”', nobody, 'does not exist']],
      [id, ['“work”', 'belongs to “mistral”', '“groq”']],
    ] as const) {
      await restartWith(connected(credential))
      const { status, body } = await service.ask('primary')
      expect(status).to.equal(400)
      const warned = service.kernel.log.filter(({ level }) => level === 'warn').map((line) => JSON.stringify(line))
      for (const word of words) {
        expect(JSON.stringify(body)).to.contain(word)
        expect(warned.join('\n')).to.contain(word)
      }
    }
    expect(service.vendor.calls).to.have.length(0)
  })

  it('are for administrators, whose changes are audited', async () => {
    const { id } = await create()
    await admin.request('PATCH', `${place}/${id}`, { label: 'New' })
    await admin.request('POST', `${place}/${id}/test`)
    await admin.request('DELETE', `${place}/${id}`)
    const events = (await admin.request('GET', '/api/admin/audit')).body['items'] as readonly Record<string, unknown>[]
    const own = events.filter(({ kind }) => String(kind).startsWith('credential.')).reverse()
    expect(own.map(({ kind }) => kind)).to.deep.equal([
      'credential.created',
      'credential.changed',
      'credential.tested',
      'credential.deleted',
    ])
    for (const noted of own) {
      expect(noted).to.include({ actor_id: admin.userId, subject_id: id })
    }
    expect(JSON.stringify(events)).to.not.contain(key)
    const other = await signUp(service.kernel.url, 'eve')
    for (const [method, address] of [
      ['GET', place],
      ['POST', place],
      ['GET', `${place}/${id}`],
      ['POST', `${place}/${id}/test`],
      ['POST', `${place}/sign-in`],
      ['GET', `${place}/sign-in/callback?state=x`],
    ] as const)
      expect((await other.request(method, address, method === 'POST' ? {} : undefined)).status, `${method} ${address}`).to.equal(403)
  })

  it('refuse invalid input, with its path', async () => {
    const valid = { brand: 'groq', label: 'Ours', api_key: key }
    for (const [what, body, status, pointer] of [
      ['no key', { brand: 'groq', label: 'Ours' }, 422, '/api_key'],
      ['an empty key', { ...valid, api_key: '' }, 422, '/api_key'],
      ['a key with a line break', { ...valid, api_key: 'a\nb' }, 422, '/api_key'],
      ['a key with a space', { ...valid, api_key: 'Bearer abc' }, 422, '/api_key'],
      ['a key in other letters', { ...valid, api_key: 'schlüssel' }, 422, '/api_key'],
      ['a key that is not a text', { ...valid, api_key: 7 }, 422, '/api_key'],
      ['a key without end', { ...valid, api_key: 'x'.repeat(8_001) }, 422, '/api_key'],
      ['no label', { brand: 'groq', api_key: key }, 422, '/label'],
      ['an empty label', { ...valid, label: ' ' }, 422, '/label'],
      ['a label with a control character', { ...valid, label: 'a\u0000b' }, 422, '/label'],
      ['no brand', { label: 'Ours', api_key: key }, 422, '/brand'],
      ['a brand with a path', { ...valid, brand: '../groq' }, 422, '/brand'],
      ['an unknown member', { ...valid, payload: 'x' }, 422, '/payload'],
      ['a list', [], 422, '/'],
    ] as const) {
      const answer = await admin.request('POST', place, body)
      expect(answer.status, what).to.equal(status)
      expect(JSON.stringify(answer.body['errors']), what).to.contain(pointer)
      expect(JSON.stringify(answer.body), what).to.not.contain(key)
    }
    expect((await admin.request('GET', `${place}?limit=0`)).status).to.equal(422)
    for (const id of ['x', '%20', nobody, '__proto__', '..%2f..'])
      expect((await admin.request('GET', `${place}/${id}`)).status, id).to.be.oneOf([400, 404])
    expect((await admin.request('GET', place)).body['items']).to.deep.equal([])
  })
})
