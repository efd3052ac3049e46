import { defineError } from '@agent-service/sdk'
import type { Collection, Database, StoredObject } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import { createFakeCredentials, fakeSealedFields } from '../test-support/credential-fakes.js'
import { type EarlierCredential, earlierCredentials, moveEarlierCredentials } from './earlier-credentials.js'

const unreadable = defineError<Record<string, never>>({ code: 'secret_unreadable', status: 500, title: 'Unreadable', message: () => 'no' })
const settings: SignInSettings = {
  kind: 'device',
  device_url: 'https://v.test/d',
  token_url: 'https://v.test/t',
  client_id: 'c',
  scopes: ['s'],
}

/** A collection as earlier versions wrote it. */
async function openEarlier(payloads: Readonly<Record<string, object>>) {
  const documents = new Map<string, EarlierCredential>()
  for (const [id, payload] of Object.entries(payloads)) {
    const text = JSON.stringify(payload)
    documents.set(id, {
      ...{ id, kind: 'account', brand: 'house', label: `Label of ${id}`, hint: '', generation: 3, expires_at: null },
      ...{ state: 'ready', created_at: '2026-01-02T03:04:05.000Z', checked_at: '2026-02-02T00:00:00.000Z', check_ok: true },
      payload: await fakeSealedFields.seal(text, { collection: earlierCredentials, id, field: 'payload' }),
    })
  }
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const log = { debug: note, info: note, warn: note, error: note, child: () => log }
  const database: Pick<Database, 'collection'> = {
    collection: <Document extends StoredObject>() =>
      ({
        query: async () => ({ items: [...documents.values()] }),
        delete: async (id: string) => documents.delete(id),
      }) as unknown as Collection<Document>,
  }
  const credentials = createFakeCredentials()
  const move = (open = fakeSealedFields.open, create = credentials.create) =>
    moveEarlierCredentials({
      ...{ database: database as Database, log, sealedFields: { open }, credentials: { create } },
      signInOf: (brand) => (brand === 'house' ? settings : undefined),
    })
  return { documents, credentials, lines, move }
}

const account = { kind: 'account', access_token: 'access', refresh_token: 'refresh', expires_at: 9_000, account_id: 'a-1' }

describe('credentials of earlier versions', () => {
  it('are moved with all their members', async () => {
    const { documents, credentials, move } = await openEarlier({ one: { kind: 'api_key', api_key: 'k' }, two: account })
    const second = documents.get('two')
    if (second) documents.set('two', { ...second, state: 'sign_in_needed' })
    await move()
    expect(documents.size).to.equal(0)
    expect(credentials.kept.get('one')?.content).to.deep.equal({ kind: 'secret', fields: { api_key: 'k' } })
    expect(credentials.kept.get('one')?.summary).to.deep.include({
      ...{ owner: 'deployment', id: 'one', purpose: 'provider', label: 'Label of one', createdAt: Date.parse('2026-01-02T03:04:05.000Z') },
      ...{ state: 'ready', details: { brand: 'house', checked_at: '2026-02-02T00:00:00.000Z', check_ok: true } },
    })
    expect(credentials.kept.get('two')?.summary).to.include({ state: 'reauthentication_required' })
    expect(credentials.kept.get('two')?.content).to.deep.equal({
      kind: 'oauth',
      client: { clientId: 'c', tokenUrl: 'https://v.test/t', scopes: ['s'], deviceUrl: 'https://v.test/d' },
      tokens: { accessToken: 'access', refreshToken: 'refresh', expiresAt: 9_000, account: 'a-1' },
    })
  })

  it('are moved completely after an interrupted move, without overwriting later changes', async () => {
    const { documents, credentials, move } = await openEarlier({ one: account, two: account })
    const stopped = await move(fakeSealedFields.open, async (request) => {
      if (request.id === 'two') throw new Error('the process ended')
      return credentials.create(request)
    }).catch((error: unknown) => error)
    expect(String(stopped)).to.contain('the process ended')
    expect([...documents.keys()]).to.deep.equal(['two'])
    const renewed = { kind: 'oauth', tokens: { accessToken: 'renewed' } } as const
    await credentials.create({ owner: 'deployment', id: 'two', purpose: 'provider', label: 'Of another process', content: renewed })
    await move()
    expect(documents.size).to.equal(0)
    expect(credentials.kept.get('two')?.content).to.deep.equal(renewed)
  })

  it('stay where they are if unreadable, and do not block the others', async () => {
    const { documents, credentials, lines, move } = await openEarlier({ one: account, two: account })
    await move(async (text, place) => {
      if (place.id === 'one') throw unreadable.create({})
      return fakeSealedFields.open(text, place)
    })
    expect([...documents.keys()]).to.deep.equal(['one'])
    expect([...credentials.kept.keys()]).to.deep.equal(['two'])
    expect(lines.join()).to.contain('one').and.contain('“house”')
  })
})
