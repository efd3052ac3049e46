import { expect } from 'chai'
import { openService, owner } from '../test-support/open-service.js'

const key = 'a-key-that-is-not-to-be-noted'
const secret = { kind: 'secret', fields: { api_key: key } } as const

describe('the audit log of credentials', () => {
  it('records changes of the deployment’s credentials, without their secrets', async () => {
    const service = openService()
    const credentials = service.of('feature-one')
    const { id } = await credentials.create({ owner: 'deployment', purpose: 'provider', label: 'Work', content: secret })
    const place = { owner: 'deployment', id } as const
    await credentials.change(place, { details: { checked: true } })
    await credentials.change(place, { label: 'Home' })
    await credentials.replace(place, { kind: 'secret', fields: { api_key: `${key}-2` } })
    await credentials.delete(place)

    const { noted } = service.audit
    expect(noted.map(({ kind, subject }) => [kind, subject])).to.deep.equal([
      ['credential.created', id],
      ['credential.changed', id],
      ['credential.replaced', id],
      ['credential.deleted', id],
    ])
    const [created, changed, replaced, deleted] = noted
    expect([created?.before, deleted?.after]).to.deep.equal([undefined, undefined])
    expect([changed?.before?.['label'], changed?.after?.['label']]).to.deep.equal(['Work', 'Home'])
    expect([replaced?.before?.['content'], replaced?.after?.['content']]).to.deep.equal(['set', 'changed'])
    expect(JSON.stringify(noted)).to.contain('feature-one').and.not.contain(key)
  })

  it('records nothing for credentials of users, renewals and failed deletions', async () => {
    const service = openService()
    const credentials = service.of('feature-one')
    const { id } = await credentials.create({ owner, purpose: 'mcp', label: 'Mine', content: secret })
    await credentials.change({ owner, id }, { label: 'Still mine' })
    await credentials.delete({ owner, id })
    expect(await credentials.delete({ owner: 'deployment', id })).to.equal(false)
    expect(service.audit.noted).to.deep.equal([])
  })
})
