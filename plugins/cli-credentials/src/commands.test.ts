import type { JsonValue } from '@agent-service/sdk'
import { describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { syncVaultCommand, testVaultCommand } from './ask-vault.js'
import { grantCredentialCommand } from './grant-credential.js'
import { listCredentialsCommand } from './list-credentials.js'
import { listItemsCommand } from './list-items.js'
import { listVaultsCommand } from './list-vaults.js'
import { revokeGrantCommand } from './revoke-grant.js'
import { showLogCommand } from './show-log.js'

const token = { name: 'token', secret: true, variable: 'GITHUB_TOKEN', as: 'value' }
const credential = { id: 'c1', name: 'github', title: 'GitHub', fields: [token], values_changed_at: '2026-07-01T07:00:00.000Z' }
const grant = {
  ...{ id: 'g1', agent_id: 'a1', agent: 'assistant', name: 'github', title: 'GitHub', fields: [token], uses: 3, once: false },
  expires_at: '2026-07-02T07:00:00.000Z',
}
const vault = {
  ...{ id: 'v1', connector: 'keepass', title: 'Passwords', system: false, state: 'ready', reason: null, account: 'ada', items: 2 },
  ...{ items_complete: true, synced_at: '2026-07-01T07:00:00.000Z' },
}
const broken = { ...vault, id: 'system-kv2', connector: 'kv2', system: true, state: 'failed', reason: 'It is sealed.', synced_at: null }
const item = { id: 'i1', title: 'Shop', group: 'Web', fields: ['username', 'password'], changed_at: null }
const opened = {
  ...{ at: '2026-07-01T07:00:00.000Z', kind: 'opened', outcome: 'ok', code: null, name: 'github', title: 'GitHub' },
  ...{ use: 'process', target: 'git push' },
}
const refused = { ...opened, outcome: 'refused', code: 'agent_credential_not_granted', use: null, target: null }
const page = (...items: readonly JsonValue[]): JsonValue => ({ items, next_cursor: null })

const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/credentials?limit=200': { items: [credential], next_cursor: 'more' },
  'GET /api/credentials?limit=200&cursor=more': page({ ...credential, id: 'c2', name: 'other' }),
  'GET /api/credentials/grants?limit=200': page(grant, { ...grant, id: 'g2', once: true, expires_at: null }),
  'GET /api/credentials/log?limit=50': page(opened, refused),
  'GET /api/credentials/log?limit=1': page(opened),
  'GET /api/agents?limit=200': page({ id: 'a1', handle: 'assistant' }),
  'GET /api/vaults?limit=200': page(vault, broken),
  'POST /api/vaults/v1/test': vault,
  'POST /api/vaults/v1/sync': { ...vault, items_complete: false },
  'POST /api/vaults/system-kv2/test': broken,
  'GET /api/vaults/v1/items?limit=200': page(item),
  'GET /api/vaults/v1/items?limit=200&q=none': page(),
}
const answer = (method: string, at: string, body?: JsonValue): JsonValue => {
  if (method === 'POST' && at === '/api/credentials/grants') {
    const { once, expires_in_secs: seconds, name } = body as Record<string, JsonValue>
    const term = { once: once === true, expires_at: seconds === undefined ? null : '2026-07-02T07:00:00.000Z' }
    return { ...grant, ...term, ...(typeof name === 'string' && { name }), source: (body as Record<string, JsonValue>)['source'] ?? null }
  }
  return answers[`${method} ${at}`] ?? null
}

describeCliCommand({
  name: 'credentials list',
  create: () => listCredentialsCommand,
  examples: [
    {
      title: 'credentials and grants, all pages',
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal([
          'NAME  FIELDS  CHANGED  TITLE',
          'github  token  2026-07-01 07:00  GitHub',
          'other  token  2026-07-01 07:00  GitHub',
          'GRANT  AGENT  NAME  FOR  USES  TITLE',
          'g1  assistant  github  until 2026-07-02 07:00 UTC  3  GitHub',
          'g2  assistant  github  once  3  GitHub',
        ]),
    },
    {
      title: 'that there are none',
      answer: () => page(),
      check: ({ lines }) => expect(lines).to.deep.equal(['You keep no credentials here.', 'No agent may use any.']),
    },
  ],
})
describeCliCommand({
  name: 'credentials grant',
  create: () => grantCredentialCommand,
  examples: [
    {
      title: 'a credential for good',
      arguments: ['assistant', 'github'],
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal([
          'assistant may use “GitHub” as “github”: for good.',
          'token: GITHUB_TOKEN',
          'To end it: agent-service credentials revoke g1',
        ]),
    },
    {
      title: 'an item of a vault, once within hours, by another name',
      arguments: ['assistant', 'i1'],
      options: { vault: 'v1', once: true, hours: '2', as: 'shop' },
      answer,
      check({ lines, json }) {
        expect(lines[0]).to.equal('assistant may use “GitHub” as “shop”: once, until 2026-07-02 07:00 UTC.')
        expect(json).to.deep.include({ source: { kind: 'vault', vault_id: 'v1', item_id: 'i1' } })
      },
    },
    {
      title: 'that there is no such agent',
      arguments: ['clerk', 'github'],
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['You have no agent “clerk”.']),
    },
    {
      title: 'that there is no such credential',
      arguments: ['assistant', 'bank'],
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings[0]).to.match(/You keep no credential “bank”/),
    },
    {
      title: 'that hours are a number',
      arguments: ['assistant', 'github'],
      options: { hours: 'two' },
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['--hours must be a whole number, not “two”.']),
    },
  ],
})
describeCliCommand({
  name: 'credentials revoke',
  create: () => revokeGrantCommand,
  examples: [
    {
      title: 'that it has ended',
      arguments: ['g1'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The agent may no longer use it.']),
    },
  ],
})
describeCliCommand({
  name: 'credentials log',
  create: () => showLogCommand,
  examples: [
    {
      title: 'uses and refusals',
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal([
          'TIME  WHAT  OUTCOME  NAME  FOR',
          '2026-07-01 07:00  opened  ok  github  process: git push',
          '2026-07-01 07:00  opened  refused: agent_credential_not_granted  github',
        ]),
    },
    { title: 'so many lines', options: { limit: '1' }, answer, check: ({ lines }) => expect(lines).to.have.length(2) },
    { title: 'that the limit is a number', options: { limit: 'all' }, answer, status: 1 },
  ],
})
describeCliCommand({
  name: 'vaults list',
  create: () => listVaultsCommand,
  examples: [
    {
      title: 'connections with what is wrong with them',
      answer,
      check({ lines, warnings }) {
        expect(lines.slice(1)).to.deep.equal([
          'v1  keepass  ready  2  2026-07-01 07:00  Passwords',
          'system-kv2  kv2  failed  2    Passwords (of the service)',
        ])
        expect(warnings).to.deep.equal(['Passwords: It is sealed.'])
      },
    },
  ],
})
describeCliCommand({
  name: 'vaults test',
  create: () => testVaultCommand,
  examples: [
    {
      title: 'that it works',
      arguments: ['v1'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['Passwords works for ada: 2 items.']),
    },
    {
      title: 'that it does not',
      arguments: ['system-kv2'],
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['Passwords does not work: It is sealed.']),
    },
  ],
})
describeCliCommand({
  name: 'vaults sync',
  create: () => syncVaultCommand,
  examples: [
    {
      title: 'that there are more',
      arguments: ['v1'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['Passwords works for ada: 2 items, and it has more.']),
    },
  ],
})
describeCliCommand({
  name: 'vaults items',
  create: () => listItemsCommand,
  examples: [
    {
      title: 'items without values',
      arguments: ['v1'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['ITEM  GROUP  FIELDS  TITLE', 'i1  Web  username, password  Shop']),
    },
    { title: 'none', arguments: ['v1', 'none'], answer, check: ({ lines }) => expect(lines).to.deep.equal(['There are no such items.']) },
  ],
})
