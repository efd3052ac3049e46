import { expect } from 'chai'
import type { CredentialsKernel } from '../../credentials/support/credentials-kernel.js'
import { connect } from '../../http/support/web-socket.js'
import type { Answer, Client, SignedInPerson } from './clients.js'

/** An entry of the audit log, as the API shows it. */
export interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly source: string | null
  readonly actor_id: string | null
  readonly session_id: string | null
  readonly token_id: string | null
  readonly address: string | null
  readonly operation: string | null
  readonly request_id: string | null
  readonly subject_id: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly details: Readonly<Record<string, unknown>>
}

/** What the walk goes through, and what it finds on the way. */
export interface World {
  readonly service: CredentialsKernel
  readonly client: Client
  readonly admin: SignedInPerson
  /** Ids and answers that later steps need. */
  readonly known: Map<string, string>
  /** Everything that no entry may hold, by a name. */
  readonly secrets: Map<string, string>
}

/** How one operation is called, and what the audit log has of it. */
export interface Step {
  call(world: World): Promise<Answer>
  /** The status of the answer. Default: any below 300. */
  readonly statuses?: readonly number[]
  /** Absent: it changes nothing, and nothing is noted. */
  readonly noted?: string | ((answer: Answer) => string)
  /** Looks at the entry further. */
  readonly check?: (entry: AuditEntry, world: World, answer: Answer) => void
}

const at = (world: World, name: string): string => {
  const value = world.known.get(name)
  if (value === undefined) throw new Error(`The walk does not know “${name}” yet.`)
  return value
}
const send = (
  world: World,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  world.client.send(method, path, { headers: { ...world.admin.authorization, ...headers }, ...(body === undefined ? {} : { body }) })
const read = (path: string | ((world: World) => string)): Step => ({
  call: (world) => send(world, 'GET', typeof path === 'string' ? path : path(world)),
})
const remember = async (world: World, name: string, answered: Promise<Answer>, member = 'id'): Promise<Answer> => {
  const answer = await answered
  world.known.set(name, String(answer.json[member]))
  return answer
}
const plant = (world: World, name: string): string => {
  const secret = `planted-${name}-4711/+"ü`
  world.secrets.set(name, secret)
  return secret
}
const plantPlain = (world: World, name: string): string => {
  const secret = `planted-${name}-4711`
  world.secrets.set(name, secret)
  return secret
}
const subjectIs =
  (name: string) =>
  (entry: AuditEntry, world: World): void =>
    void expect(entry.subject_id).to.equal(at(world, name))

const beginSignIn = (world: World, brand: string): Promise<Answer> =>
  remember(world, 'sign-in', send(world, 'POST', '/api/admin/credentials/sign-in', { brand }), 'sign_in_id')
/**
 * Begins a sign-in and has the person say yes at the vendor; gives the address that the browser is
 * sent to.
 */
const approve = async (world: World): Promise<URL> => {
  const { json } = await beginSignIn(world, 'openai')
  const url = world.service.vendor.approveInBrowser(String(json['authorization_url']))
  world.secrets.set(`code ${world.secrets.size}`, url.searchParams.get('code') ?? '')
  return url
}

const policyText = 'permit(principal == User::"nobody", action, resource);'
const skillsPath = '/api/admin/skills'
const skillText = Buffer.from('---\nname: notes\ndescription: Takes notes.\n---\n').toString('base64')
const skillIs =
  (name: string, origin: string) =>
  (entry: AuditEntry): void =>
    void expect([entry.subject_id, entry.details['source'], entry.details['origin']]).to.deep.equal([name, 'shared', origin])
const usersPath = '/api/admin/users'
const policiesPath = '/api/admin/policies'
const credentialsPath = '/api/admin/credentials'
const things = '/api/plugins/tool-unseen/things'

/** Every administration operation, in an order in which each can be called. */
export const administration: Readonly<Record<string, Step>> = {
  getConfiguration: { call: (world) => remember(world, 'revision', send(world, 'GET', '/api/admin/config'), 'revision') },
  checkConfiguration: {
    call: (world) => send(world, 'POST', '/api/admin/config/check', { set: { 'voice.telephony_auth_token': plant(world, 'checked') } }),
  },
  changeConfiguration: {
    call: (world) =>
      send(
        world,
        'PATCH',
        '/api/admin/config',
        {
          set: {
            'providers.work.api_key': plant(world, 'another key of a connection'),
            'inference.max_tool_turns': 7,
          },
        },
        { 'if-match': at(world, 'revision') },
      ),
    noted: 'configuration.changed',
    check(entry, world, answer) {
      expect(entry.before).to.deep.equal({ 'providers.work.api_key': 'set', 'inference.max_tool_turns': null })
      expect(entry.after).to.deep.equal({ 'providers.work.api_key': 'changed', 'inference.max_tool_turns': 7 })
      expect(entry.details).to.deep.equal({ previous_revision: at(world, 'revision'), revision: answer.json['revision'] })
    },
  },
  createBackup: {
    call: (world) => remember(world, 'backup', send(world, 'POST', '/api/admin/backups')),
    noted: 'backup.created',
    check: (entry, _, answer) => void expect(entry.details).to.deep.equal({ path: answer.json['path'] }),
  },
  listBackups: read('/api/admin/backups'),
  getBackupStatus: read('/api/admin/backups/status'),
  getBackup: read((world) => `/api/admin/backups/${at(world, 'backup')}`),
  cancelBackup: { call: (world) => send(world, 'POST', '/api/admin/backups/cancel'), noted: 'admin.operation' },
  verifyBackup: {
    call: (world) => send(world, 'POST', `/api/admin/backups/${at(world, 'backup')}/verify`),
    noted: 'backup.verified',
    check(entry, world) {
      subjectIs('backup')(entry, world)
      expect(entry.details).to.include({ sound: true })
    },
  },
  downloadBackup: {
    call: (world) => send(world, 'GET', `/api/admin/backups/${at(world, 'backup')}/content`),
    noted: 'backup.downloaded',
    check: subjectIs('backup'),
  },
  deleteBackup: {
    call: (world) => send(world, 'DELETE', `/api/admin/backups/${at(world, 'backup')}`),
    noted: 'backup.deleted',
    check: subjectIs('backup'),
  },

  createUser: {
    call: (world) => remember(world, 'bob', send(world, 'POST', usersPath, { username: 'bob', password: plant(world, 'password') })),
    noted: 'account.created',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect([entry.before, entry.after]).to.deep.equal([null, { username: 'bob', role: 'user' }])
    },
  },
  listUsers: read(usersPath),
  getUser: read((world) => `${usersPath}/${at(world, 'bob')}`),
  changeUser: {
    call: (world) => send(world, 'PATCH', `${usersPath}/${at(world, 'bob')}`, { role: 'admin', password: plant(world, 'next password') }),
    noted: 'account.changed',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect(entry.before).to.deep.equal({ role: 'user', password: 'set' })
      expect(entry.after).to.deep.equal({ role: 'admin', password: 'changed' })
    },
  },

  listSessionsOfUser: read((world) => `${usersPath}/${at(world, 'bob')}/sessions`),
  endSessionsOfUser: {
    call: (world) => send(world, 'DELETE', `${usersPath}/${at(world, 'bob')}/sessions`),
    noted: 'session.ended',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect(entry.details).to.deep.equal({ sessions: 'all' })
    },
  },
  endSessionOfUser: {
    async call(world) {
      const { json } = await world.client.send('POST', '/api/auth/login', {
        body: { username: 'bob', password: world.secrets.get('next password') },
      })
      const claims = JSON.parse(Buffer.from(String(json['access_token']).split('.')[1] ?? '', 'base64url').toString('utf8')) as {
        readonly sid: string
      }
      world.known.set('session of bob', claims.sid)
      return send(world, 'DELETE', `${usersPath}/${at(world, 'bob')}/sessions/${claims.sid}`)
    },
    noted: 'session.ended',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect(entry.details).to.deep.equal({ session_id: at(world, 'session of bob') })
    },
  },
  listIdentitiesOfUser: read((world) => `${usersPath}/${at(world, 'bob')}/identities`),
  // The tests of single sign-on look at the entry of one that is there.
  unlinkIdentityOfUser: { call: (world) => send(world, 'DELETE', `${usersPath}/${at(world, 'bob')}/identities/none`), statuses: [404] },
  getUserDataSizes: read((world) => `${usersPath}/${at(world, 'bob')}/data`),

  setBudget: {
    call: (world) => send(world, 'PUT', `/api/admin/budgets/${at(world, 'bob')}`, { period: 'day', limit_tokens: 5 }),
    noted: 'budget.set',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect([entry.before, entry.after]).to.deep.equal([null, { period: 'day', limit_usd: null, limit_tokens: 5 }])
    },
  },
  listBudgets: read('/api/admin/budgets'),
  removeBudget: {
    call: (world) => send(world, 'DELETE', `/api/admin/budgets/${at(world, 'bob')}`),
    noted: 'budget.removed',
    check(entry, world) {
      subjectIs('bob')(entry, world)
      expect([entry.before, entry.after]).to.deep.equal([{ period: 'day', limit_usd: null, limit_tokens: 5 }, null])
    },
  },
  deleteUser: {
    call: (world) => send(world, 'DELETE', `${usersPath}/${at(world, 'bob')}`),
    noted: 'account.deleted',
    check: subjectIs('bob'),
  },
  countShares: read('/api/admin/shares'),
  getUsageOfAll: read('/api/admin/usage'),

  createPolicy: {
    call: (world) => remember(world, 'policy', send(world, 'POST', policiesPath, { text: policyText, enabled: false })),
    noted: 'policy.created',
    check(entry, world) {
      subjectIs('policy')(entry, world)
      expect([entry.before, entry.after]).to.deep.equal([null, { text: policyText, description: '', effect: 'permit', enabled: false }])
    },
  },
  listPolicies: read(policiesPath),
  getPolicy: read((world) => `${policiesPath}/${at(world, 'policy')}`),
  checkPolicy: { call: (world) => send(world, 'POST', `${policiesPath}/check`, { text: policyText }) },
  explainPolicyDecision: {
    call: (world) =>
      send(world, 'POST', `${policiesPath}/explain`, {
        principal: { type: 'User', id: world.admin.userId },
        action: 'callRoute',
        resource: { type: 'Route', id: 'listUsers' },
      }),
  },
  changePolicy: {
    call: (world) =>
      send(world, 'PUT', `${policiesPath}/${at(world, 'policy')}`, { text: policyText, description: 'Lets nobody in.', enabled: true }),
    noted: 'policy.changed',
    check(entry, world) {
      subjectIs('policy')(entry, world)
      expect(entry.before).to.deep.equal({ description: '', enabled: false })
      expect(entry.after).to.deep.equal({ description: 'Lets nobody in.', enabled: true })
    },
  },
  deletePolicy: {
    call: (world) => send(world, 'DELETE', `${policiesPath}/${at(world, 'policy')}`),
    noted: 'policy.deleted',
    check(entry, world) {
      subjectIs('policy')(entry, world)
      expect([entry.before?.['text'], entry.after]).to.deep.equal([policyText, null])
    },
  },

  createCredential: {
    call: (world) =>
      remember(
        world,
        'credential',
        send(world, 'POST', credentialsPath, { brand: 'groq', label: 'Work', api_key: plantPlain(world, 'key') }),
      ),
    noted: 'credential.created',
    check(entry, world) {
      subjectIs('credential')(entry, world)
      expect(entry.before).to.equal(null)
      expect(entry.after).to.deep.include({ purpose: 'provider', label: 'Work', content: 'set' })
    },
  },
  listCredentials: read(credentialsPath),
  getCredential: read((world) => `${credentialsPath}/${at(world, 'credential')}`),
  changeCredential: {
    call: (world) => send(world, 'PATCH', `${credentialsPath}/${at(world, 'credential')}`, { label: 'Home' }),
    noted: 'credential.changed',
    check(entry, world) {
      subjectIs('credential')(entry, world)
      expect([entry.before?.['label'], entry.after?.['label']]).to.deep.equal(['Work', 'Home'])
    },
  },
  testCredential: {
    call: (world) => send(world, 'POST', `${credentialsPath}/${at(world, 'credential')}/test`),
    noted: 'credential.tested',
    check(entry, world, answer) {
      subjectIs('credential')(entry, world)
      expect(entry.details).to.include({ brand: 'groq', ok: answer.json['ok'] })
    },
  },
  deleteCredential: {
    call: (world) => send(world, 'DELETE', `${credentialsPath}/${at(world, 'credential')}`),
    noted: 'credential.deleted',
    check(entry, world) {
      subjectIs('credential')(entry, world)
      expect([entry.before?.['label'], entry.after]).to.deep.equal(['Home', null])
    },
  },
  beginAccountSignIn: {
    call: (world) => beginSignIn(world, 'github-copilot'),
    noted: 'credential.sign_in_begun',
    check: subjectIs('sign-in'),
  },
  getAccountSignIn: read((world) => `${credentialsPath}/sign-in/${at(world, 'sign-in')}`),
  cancelAccountSignIn: {
    call: (world) => send(world, 'DELETE', `${credentialsPath}/sign-in/${at(world, 'sign-in')}`),
    noted: 'credential.sign_in_cancelled',
    check: subjectIs('sign-in'),
  },
  completeAccountSignIn: {
    call: async (world) => {
      const url = String(await approve(world))
      return remember(
        world,
        'account',
        send(world, 'POST', `${credentialsPath}/sign-in/${at(world, 'sign-in')}/redirect`, { url }),
        'credential_id',
      )
    },
    noted: 'credential.signed_in',
    check: subjectIs('account'),
  },
  returnFromAccountSignIn: {
    call: async (world) => {
      const { pathname, search } = await approve(world)
      return send(world, 'GET', `${pathname}${search}`)
    },
    noted: 'credential.signed_in',
    check: (entry) => void expect(entry.after).to.deep.include({ purpose: 'provider', content: 'set' }),
  },

  listProviderConnections: read('/api/admin/connections'),
  listProviderAdapters: read('/api/admin/connections/adapters'),
  testConnection: {
    call: (world) =>
      send(world, 'POST', '/api/admin/connections/test', {
        ...{ provider: 'house', adapter: 'adapter_alpha', base_url: 'http://127.0.0.1:9/v1', model: 'some-model' },
        api_key: plantPlain(world, 'tested-key'),
      }),
    noted: 'connection.tested',
    check: (entry) => void expect(entry.details).to.include({ connection: 'house', brand: 'house', ok: false }),
  },
  listModelsOfConnection: {
    call: (world) =>
      send(world, 'POST', '/api/admin/connections/models', {
        ...{ provider: 'house', adapter: 'adapter_alpha', base_url: 'http://127.0.0.1:9/v1' },
        api_key: plantPlain(world, 'listing-key'),
      }),
  },
  // The tests of connections look at the entry of one that is there.
  testModelGroup: { call: (world) => send(world, 'POST', '/api/admin/model-groups/none/test'), statuses: [404] },

  getSetUpProgress: read('/api/admin/set-up'),
  changeSetUpProgress: {
    call: (world) => send(world, 'PATCH', '/api/admin/set-up', { memory: 'skipped' }),
    noted: 'set_up.changed',
    check(entry) {
      expect(entry.before).to.include({ memory: 'open' })
      expect(entry.after).to.include({ memory: 'skipped' })
    },
  },

  refreshCatalogue: {
    call: (world) => send(world, 'POST', '/api/admin/catalogue/refresh'),
    // The list is on the network, which need not be there.
    statuses: [200, 503],
    noted: ({ status }) => (status === 200 ? 'catalogue.refreshed' : 'admin.operation'),
  },

  toolUnseenChangeThing: {
    call: (world) =>
      send(world, 'POST', `${things}/lamp?key=${encodeURIComponent(plant(world, 'key of a query'))}`, {
        secret: plant(world, 'secret of a body'),
      }),
    noted: 'admin.operation',
    check: (entry) =>
      void expect(entry.details).to.deep.equal({
        ...{ operation: 'toolUnseenChangeThing', method: 'POST', path: `${things}/{thing_id}` },
        ...{ params: { thing_id: 'lamp' }, status: 204 },
      }),
  },
  toolUnseenNoteThing: {
    call: (world) => send(world, 'PUT', `${things}/lamp`, {}),
    noted: 'thing.noted',
    check(entry) {
      expect(entry).to.deep.include({ subject_id: 'lamp', before: { key: 'set' }, after: { key: 'changed' } })
      expect(entry.details).to.deep.equal({ plugin: 'tool-unseen' })
    },
  },
  toolUnseenReadThing: read(`${things}/lamp`),
  toolUnseenLookAtThing: { call: (world) => send(world, 'POST', `${things}/lamp/look`, {}) },
  toolUnseenBreakThing: {
    call: (world) => send(world, 'PATCH', `${things}/lamp`, {}),
    statuses: [500],
    noted: 'admin.operation',
    check: (entry) => void expect(entry.details).to.include({ operation: 'toolUnseenBreakThing', status: 500 }),
  },
  toolUnseenTalkToThing: {
    async call({ service, admin }) {
      const headers = { ...admin.authorization, 'x-request-id': 'request-of-a-socket' }
      const { socket, ask, closed } = await connect(`${service.kernel.url}${things}/lamp/talk`, headers)
      const text = await ask('hello')
      socket.close()
      await closed
      return { status: 101, headers: new Headers(headers), json: {}, text }
    },
    noted: 'admin.operation',
    check: (entry) => void expect(entry.details).to.deep.include({ method: 'GET', params: { thing_id: 'lamp' }, status: 101 }),
  },
  toolUnseenRefuseThing: { call: (world) => send(world, 'DELETE', `${things}/lamp`), statuses: [404] },

  getMailStatus: read('/api/admin/mail'),
  listMails: read('/api/admin/mail/messages'),
  // The tests of e-mail look at the entry of one that is sent.
  sendTestMail: { call: (world) => send(world, 'POST', '/api/admin/mail/test'), statuses: [409] },
  createSharedSkill: {
    call: (world) => send(world, 'POST', skillsPath, { name: 'made-here', description: 'Made here.' }),
    noted: 'skill.created',
    check: skillIs('made-here', 'created'),
  },
  installSharedSkill: {
    call: (world) => send(world, 'POST', `${skillsPath}/install`, { files: [{ path: 'SKILL.md', content: skillText }] }),
    noted: 'skill.installed',
    check: skillIs('notes', 'folder'),
  },
  // The tests of skills upload archives that are taken.
  uploadSharedSkill: { call: (world) => send(world, 'POST', `${skillsPath}/upload`, {}), statuses: [422] },
  putSharedSkillFile: {
    call: (world) => send(world, 'PUT', `${skillsPath}/notes/content?path=a.md`, {}),
    noted: 'skill.edited',
    check: (entry) => void expect([entry.subject_id, entry.details['path']]).to.deep.equal(['notes', 'a.md']),
  },
  deleteSharedSkillFile: {
    call: (world) => send(world, 'DELETE', `${skillsPath}/notes/content?path=a.md`),
    noted: 'skill.edited',
    check: (entry) => void expect([entry.subject_id, entry.details['path']]).to.deep.equal(['notes', 'a.md']),
  },
  updateSharedSkill: { call: (world) => send(world, 'POST', `${skillsPath}/notes/update`), statuses: [409] },
  deleteSharedSkill: {
    call: (world) => send(world, 'DELETE', `${skillsPath}/notes`),
    noted: 'skill.removed',
    check: (entry) => void expect([entry.subject_id, entry.details['source']]).to.deep.equal(['notes', 'shared']),
  },

  listProcessesOfAllUsers: read('/api/admin/sandbox/processes'),
  // The tests of the sandbox look at the entry of one that runs.
  stopProcessOfAnyUser: { call: (world) => send(world, 'POST', '/api/admin/sandbox/processes/none/stop'), statuses: [404] },

  listPlugins: read('/api/admin/plugins'),
  disablePlugin: {
    call: (world) => send(world, 'POST', '/api/admin/plugins/tool-unseen/disable'),
    noted: 'plugin.disabled',
    check: (entry) =>
      void expect(entry).to.deep.include({ subject_id: 'tool-unseen', before: { enabled: true }, after: { enabled: false } }),
  },
  enablePlugin: {
    call: (world) => send(world, 'POST', '/api/admin/plugins/tool-unseen/enable'),
    noted: 'plugin.enabled',
    check: (entry) =>
      void expect(entry).to.deep.include({ subject_id: 'tool-unseen', before: { enabled: false }, after: { enabled: true } }),
  },
  listLogEntries: read('/api/admin/logs?limit=1'),
  streamLogEntries: {
    async call({ service, admin }) {
      const controller = new AbortController()
      const headers = { ...admin.authorization, 'x-request-id': 'request-of-the-log' }
      const response = await fetch(`${service.kernel.url}/api/admin/logs/stream`, { headers, signal: controller.signal })
      controller.abort()
      return { status: response.status, headers: response.headers, json: {}, text: '' }
    },
  },
  getServiceHealth: read('/api/admin/health'),
  runHealthChecks: { call: (world) => send(world, 'POST', '/api/admin/health/checks') },
  listAuditEvents: read('/api/admin/audit?limit=1'),
  restart: { call: (world) => send(world, 'POST', '/api/admin/restart'), noted: 'service.restart_requested' },
}
