import type { CredentialContent } from '@agent-service/sdk/services/credentials'
import { expect } from 'chai'
import { createCredentialUserData } from './credential-user-data.js'
import { deleteAndRevoke } from './credentials-of-plugin.js'
import { ownerOf } from './store/stored-credential.js'
import { client, errorOf, openService, owner } from './test-support/open-service.js'

const { signal } = new AbortController()
const secret: CredentialContent = { kind: 'secret', fields: { user: 'ada', password: 'canary-password-1234' } }
const tokens: CredentialContent = {
  kind: 'oauth',
  client,
  tokens: { accessToken: 'canary-access-1234', refreshToken: 'canary-refresh-1234' },
}
const mine = { owner, id: 'one' }

describe('a credential', () => {
  it('returns its metadata without its values', async () => {
    const { of } = openService()
    const credentials = of('plugin-a')
    const made = await credentials.create({ owner, purpose: 'mail', label: 'Ours', details: { host: 'h' }, content: secret })
    const { id } = made
    expect(id).to.match(/^[0-9a-f-]{36}$/)
    expect(made).to.deep.equal({
      ...{ owner, id, purpose: 'mail', label: 'Ours', kind: 'secret', fields: ['user', 'password'], hint: '', details: { host: 'h' } },
      ...{ state: 'ready', createdAt: 0, changedAt: 0 },
    })
    expect(await credentials.get({ owner, id })).to.deep.equal(made)
    expect((await credentials.list({ owner })).items).to.deep.equal([made])
    expect((await credentials.list({ owner, purpose: 'other' })).items).to.deep.equal([])
    expect(JSON.stringify(made)).to.not.contain('canary')
    expect(await credentials.open({ owner, id }, { signal })).to.deep.equal(secret)
  })

  it('can be changed without its values, replaced with them, and deleted', async () => {
    const { of, clock } = openService()
    const credentials = of('plugin-a')
    await credentials.create({ ...mine, purpose: 'mail', label: 'Ours', details: { host: 'h', port: 1 }, content: secret })
    expect(await credentials.change(mine, { label: 'New', details: { port: 2 } })).to.deep.include({
      label: 'New',
      details: { host: 'h', port: 2 },
    })
    await clock.wait(5, { signal })
    expect(await credentials.replace(mine, { kind: 'secret', fields: { token: 'a-token-of-some-length' } })).to.deep.include({
      ...{ fields: ['token'], hint: 'ngth', changedAt: 5, createdAt: 0, label: 'New' },
    })
    expect(await credentials.delete(mine)).to.equal(true)
    expect(await credentials.delete(mine)).to.equal(false)
    for (const work of [credentials.open(mine, { signal }), credentials.replace(mine, secret), credentials.change(mine, { label: 'x' })])
      expect(await errorOf(work)).to.include({ code: 'credential_not_found', status: 404 })
  })

  it('is found only by its plugin and under its owner', async () => {
    const { of } = openService()
    const [own, foreign] = [of('plugin-a'), of('plugin-b')]
    await own.create({ ...mine, purpose: 'mail', label: 'Ours', content: secret })
    const elsewhere = [
      [foreign, mine],
      [foreign, { owner, id: 'plugin-a/one' }],
      [foreign, { owner, id: '../plugin-a/one' }],
      [own, { owner: { userId: 'user-2' }, id: 'one' }],
      [own, { owner: 'deployment', id: 'one' }],
    ] as const
    for (const [credentials, reference] of elsewhere) {
      expect(await credentials.get(reference)).to.equal(undefined)
      expect(await errorOf(credentials.open(reference, { signal }))).to.include({ code: 'credential_not_found' })
      expect(await errorOf(credentials.replace(reference, secret))).to.include({ code: 'credential_not_found' })
      expect(await errorOf(credentials.change(reference, { label: 'x' }))).to.include({ code: 'credential_not_found' })
      expect(await credentials.delete(reference)).to.equal(false)
      expect((await credentials.list({ owner: reference.owner })).items).to.have.length(
        reference.owner === owner && credentials === own ? 1 : 0,
      )
    }
    await foreign.create({ ...mine, purpose: 'mail', label: 'Theirs', content: { kind: 'secret', fields: { a: 'b' } } })
    expect(await own.open(mine, { signal })).to.deep.equal(secret)
    expect(await errorOf(own.create({ ...mine, purpose: 'mail', label: 'Again', content: secret }))).to.include({
      code: 'credential_exists',
    })
  })

  for (const [what, changes, words] of [
    ['an id with a slash', { id: 'a/b' }, 'id must'],
    ['a purpose in capitals', { purpose: 'Mail' }, 'purpose must'],
    ['an empty label', { label: ' ' }, 'label must'],
    ['large details', { details: { a: 'x'.repeat(5_000) } }, 'details must'],
    ['an owner without a name', { owner: { userId: '' } }, 'owner.userId'],
    ['no field', { content: { kind: 'secret', fields: {} } }, 'fields must have 1 to 32 entries'],
    ['an empty field', { content: { kind: 'secret', fields: { a: '' } } }, 'fields.a'],
    ['a field with a space', { content: { kind: 'secret', fields: { 'a b': 'canary' } } }, 'name of a field'],
    ['too much', { content: { kind: 'secret', fields: { a: 'canary'.repeat(50_000) } } }, 'at most 262144 bytes'],
    ['no tokens', { content: { kind: 'oauth', client } }, 'tokens are required'],
    [
      'a server on this machine',
      { content: { ...tokens, client: { ...client, tokenUrl: 'http://127.0.0.1/' } } },
      'client.tokenUrl must be https',
    ],
    [
      'a server with a password',
      { content: { ...tokens, client: { ...client, tokenUrl: 'https://a:b@c/' } } },
      'client.tokenUrl must not contain',
    ],
    ['a machine without a secret', { content: { kind: 'oauth', client: { ...client, renewal: 'client_credentials' } } }, 'clientSecret'],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const valid = { ...mine, purpose: 'mail', label: 'Ours', content: secret }
      const error = await errorOf(
        openService()
          .of('plugin-a')
          .create({ ...valid, ...(changes as object) }),
      )
      expect(error).to.include({ code: 'credential_invalid', status: 422 })
      expect(error.message).to.contain(words).and.not.contain('canary')
    })

  it('cannot be deleted while it is in use', async () => {
    const credentials = openService().of('plugin-a')
    await credentials.create({ ...mine, purpose: 'mail', label: 'Ours', content: secret })
    const end = credentials.onDelete(async ({ label }) => [`the connection of ${label}`])
    const error = await errorOf(credentials.delete(mine))
    expect(error).to.include({ code: 'credential_in_use', status: 409 })
    expect(error.message).to.contain('the connection of Ours')
    await end()
    expect(await credentials.delete(mine)).to.equal(true)
  })

  it('revokes its tokens when it is deleted, even if the server refuses', async () => {
    for (const answer of [
      { kind: 'answer', body: {} },
      { kind: 'unavailable', reason: 'it could not be reached' },
    ] as const) {
      const service = openService()
      const credentials = service.of('plugin-a')
      const revocationUrl = 'https://vendor.test/revoke'
      await credentials.create({ ...mine, purpose: 'mail', label: 'Ours', content: { ...tokens, client: { ...client, revocationUrl } } })
      service.answers(answer)
      expect(await credentials.delete(mine)).to.equal(true)
      expect(service.asked.map(({ url, form }) => ({ url, form }))).to.deep.equal([
        { url: revocationUrl, form: { token: 'canary-refresh-1234', token_type_hint: 'refresh_token' } },
      ])
      expect(service.log.lines.join()).to.not.contain('canary')
      expect(service.log.lines).to.have.length(answer.kind === 'answer' ? 0 : 1)
    }
  })

  it('keeps its creation time and state when it is moved here', async () => {
    const credentials = openService().of('plugin-a')
    const moved = { createdAt: 7_000, reauthenticationReason: 'invalid_grant' }
    expect(await credentials.create({ ...mine, purpose: 'mail', label: 'Ours', content: tokens, moved })).to.include({
      ...{ createdAt: 7_000, state: 'reauthentication_required', reason: 'invalid_grant' },
    })
  })
})

describe('the credentials of a user', () => {
  const openUserData = async () => {
    const service = openService({ still: true })
    for (const [plugin, of] of [
      ['plugin-a', owner],
      ['plugin-b', owner],
      ['plugin-a', { userId: 'user-2' }],
      ['plugin-a', 'deployment'],
    ] as const)
      await service.of(plugin).create({ owner: of, purpose: 'mail', label: 'Ours', content: plugin === 'plugin-a' ? secret : tokens })
    const data = createCredentialUserData({
      database: service.database,
      endSignIns: (userId) => service.signIns.cancelOf(userId),
      erase: async (record, stop) => {
        const reference = { pluginId: record.plugin_id, owner: ownerOf(record), id: record.id.slice(record.plugin_id.length + 1) }
        await deleteAndRevoke(reference, stop, service.parts)
      },
    })
    return { service, data }
  }

  it('are exported without their secrets', async () => {
    const { data } = await openUserData()
    const records = []
    for await (const record of data.export('user-1', { signal })) records.push(record)
    expect(records.map(({ path }) => path.split('/').slice(0, 2).join('/'))).to.deep.equal(['credentials/plugin-a', 'credentials/plugin-b'])
    expect(records[0]?.json).to.include({ plugin: 'plugin-a', purpose: 'mail', label: 'Ours', kind: 'secret' })
    // Neither plain nor sealed: the fake seals by base64.
    expect(JSON.stringify(records)).to.not.contain('canary').and.not.contain(Buffer.from('canary').toString('base64').slice(0, 7))
    expect(await data.size('user-1', { signal })).to.include({ records: 2 })
  })

  it('are erased together with pending sign-ins, and those of other users stay', async () => {
    const { service, data } = await openUserData()
    const credentials = service.of('plugin-a')
    const begun = await credentials.beginSignIn(
      { owner, purpose: 'mail', label: 'New', client, flow: 'code', userId: 'user-1' },
      { signal },
    )
    await data.erase('user-1', { signal })
    await data.erase('user-1', { signal })
    expect(await data.size('user-1', { signal })).to.deep.equal({ records: 0, bytes: 0 })
    expect(service.database.documents.size).to.equal(2)
    expect(credentials.getSignIn(begun.id, 'user-1')).to.include({ state: 'cancelled' })
    await service.signIns.close()
  })
})
