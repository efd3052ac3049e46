import { invalidRequestError, notFoundError } from '../../contracts/http-route/errors.js'
import type { Account, Accounts, WaitingPerson } from '../../services/accounts.js'
import type { Audit, AuditEvent } from '../../services/audit.js'
import type { CacheFiles } from '../../services/cache-files.js'
import type { DeliveredEvent, EventGap, EventInput, EventSubscription, PluginEvents } from '../../services/events.js'
import type { PolicyRequest, PolicyService } from '../../services/policy.js'
import type { PresignedUrls } from '../../services/presigned-urls.js'
import type { Resources } from '../../services/resources.js'
import type { Seals } from '../../services/seals.js'
import type { Redaction, SealedFields, Secrets } from '../../services/secrets.js'
import type { Slots } from '../../services/slots.js'
import type { Urls } from '../../services/urls.js'

/** The default user of tests. */
export const testAccount: Account = { id: 'user-1', username: 'ada', handle: 'ada', role: 'user', timezone: 'Europe/Vienna' }

/** Users that a test adds to. */
export interface FakeAccounts extends Accounts {
  /** Adds a user, or replaces the one with this id. */
  add(account: Account): void
  /** Sets the address of a user, and whether it is confirmed. Default: a confirmed one. */
  setEmail(userId: string, email: string | null, options?: { readonly confirmed: boolean }): void
  /** Ends a session. Default: every session of a user who is there can be used. */
  endSession(sessionId: string): void
  /** Somebody asks for an account. */
  ask(person: WaitingPerson): void
  /** Sets the language in which a user is written to. Default: none. */
  setLanguage(userId: string, language: string): void
}

/** Has {@link testAccount} and added users. */
export function createFakeAccounts(): FakeAccounts {
  const accounts = new Map([[testAccount.id, testAccount]])
  const names = new Map<string, string | null>()
  const ended = new Set<string>()
  const waiting: WaitingPerson[] = []
  const listeners = new Set<(person: WaitingPerson) => void>()
  const languages = new Map<string, string>()
  const emails = new Map<string, { readonly email: string | null; readonly confirmed: boolean }>()
  return {
    add: (account) => void accounts.set(account.id, account),
    setEmail: (userId, email, { confirmed } = { confirmed: true }) => void emails.set(userId, { email, confirmed }),
    endSession: (sessionId) => void ended.add(sessionId),
    ask(person) {
      waiting.push(person)
      for (const listener of listeners) listener(person)
    },
    setLanguage: (userId, language) => void languages.set(userId, language),
    get: async (userId) => accounts.get(userId),
    hasSession: async (userId, sessionId) => accounts.has(userId) && !ended.has(sessionId),
    async contact(userId) {
      const account = accounts.get(userId)
      if (!account) return undefined
      const { email, confirmed } = emails.get(userId) ?? { email: `${account.username}@example.com`, confirmed: true }
      const language = languages.get(userId)
      return {
        email: confirmed ? email : null,
        hasUnconfirmedEmail: email !== null && !confirmed,
        name: names.get(userId) ?? null,
        ...(language !== undefined && { language }),
      }
    },
    admins: async () => [...accounts.values()].filter(({ role }) => role === 'admin'),
    waiting: async () => [...waiting],
    watchWaiting(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async ids({ limit, cursor }) {
      const from = cursor === undefined ? 0 : Number(cursor)
      const ids = [...accounts.keys()].slice(from, from + limit)
      return { ids, ...(from + limit < accounts.size && { nextCursor: String(from + limit) }) }
    },
    async changeProfile(userId, { name, timezone }) {
      const account = accounts.get(userId)
      if (!account) throw notFoundError.create({ what: 'user' })
      if (name !== undefined && name !== null && name.length > 200) {
        const problems = [{ path: '/name', message: 'must have at most 200 characters' }]
        throw invalidRequestError.create({ where: 'body' }, { problems })
      }
      if (name !== undefined) names.set(userId, name)
      const changed = timezone === undefined ? account : { ...account, timezone: timezone ?? testAccount.timezone }
      accounts.set(userId, changed)
      return { name: names.get(userId) ?? null, timezone: changed.timezone }
    },
  }
}

/** Events that a test reads. */
export interface FakeEvents extends PluginEvents {
  /**
   * Every event so far, oldest first; those of a transaction from the moment of their recording, and what is announced to
   * all with `*` as its user.
   */
  readonly recorded: readonly EventInput[]
  /** The active subscriptions, by their ids. */
  readonly subscriptions: ReadonlyMap<string, EventSubscription>
  /**
   * Delivers an event to every subscription of its name, a gap to all of them. Resolves or rejects
   * with their handlers.
   */
  deliver(event: DeliveredEvent | EventGap): Promise<void>
}

/** Records what is published. */
export function createFakeEvents(): FakeEvents {
  const recorded: EventInput[] = []
  const subscriptions = new Map<string, EventSubscription>()
  return {
    recorded,
    subscriptions,
    record: (_transaction, event) => void recorded.push(event),
    publishDelta: (event) => recorded.push(event),
    announce: async (event) => void recorded.push({ ...event, userId: '*' }),
    position: () => recorded.length,
    async subscribe(subscription) {
      subscriptions.set(subscription.id, subscription)
      return () => void subscriptions.delete(subscription.id)
    },
    unsubscribe: async (id) => void subscriptions.delete(id),
    async deliver(event) {
      for (const { names, handle } of [...subscriptions.values()])
        if (event.kind === 'gap' || names.includes(event.name)) await handle(event, { signal: new AbortController().signal })
    },
  }
}

/** Decisions that a test makes. */
export interface FakePolicies extends PolicyService {
  /** Every question so far, oldest first. */
  readonly asked: readonly PolicyRequest[]
  /** Sets the decisions from now on. Default: everything is allowed. */
  decide(decision: (request: PolicyRequest) => boolean): void
}

/** Allows everything until the test decides otherwise. */
export function createFakePolicies(): FakePolicies {
  const asked: PolicyRequest[] = []
  let decision: (request: PolicyRequest) => boolean = () => true
  const decided = (request: PolicyRequest): boolean => {
    asked.push(request)
    return decision(request)
  }
  return {
    asked,
    decide(next) {
      decision = next
    },
    isAuthorized: async (request) => ({ allowed: decided(request) }),
    allowedOf: async (question, resources) => resources.map((resource) => decided({ ...question, resource })),
    filePatterns: async () => undefined,
    expectQuestions: () => undefined,
  }
}

/** Secrets that a test sets. */
export interface FakeSecrets extends Secrets {
  /** The values that were protected. */
  readonly protectedValues: readonly string[]
  /** Sets a variable of the server's environment. */
  set(name: string, value: string): void
}

/** Resolves `${NAME}` with the test's variables. */
export function createFakeSecrets(): FakeSecrets {
  const variables = new Map<string, string>()
  const protectedValues: string[] = []
  return {
    protectedValues,
    set: (name, value) => void variables.set(name, value),
    resolve(text) {
      const missing = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => String(name)).find((name) => !variables.has(name))
      return missing === undefined
        ? { value: text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? '') }
        : { missing }
    },
    protect: (value) => void protectedValues.push(value),
  }
}

/** Masks the protected values of a test, and nothing else. */
export const createFakeRedaction = ({ protectedValues }: FakeSecrets): Redaction => ({
  redact: (text) => protectedValues.reduce((rest, value) => rest.replaceAll(value, '[redacted]'), text),
})

/** Seals readably, bound to one place: opens only there. */
export function createFakeSealedFields(): SealedFields {
  const boundTo = (text: string, { collection, id, field }: Parameters<SealedFields['seal']>[1]): string =>
    JSON.stringify([collection.name, id, field, text])
  return {
    seal: async (text, place) => `sealed:${boundTo(text, place)}`,
    async open(sealed, place) {
      const parts = sealed.startsWith('sealed:') ? (JSON.parse(sealed.slice('sealed:'.length)) as readonly string[]) : []
      const text = parts[3] ?? ''
      if (sealed !== `sealed:${boundTo(text, place)}`) throw new Error(`This text was not sealed for ${place.collection.name}/${place.id}.`)
      return text
    },
  }
}

/** Seals readably, bound to their purpose. */
export function createFakeSeals(): Seals {
  return {
    seal: async (text, purpose) => Buffer.from(JSON.stringify([purpose, text])).toString('base64url'),
    async open(sealed, purpose) {
      try {
        const [of, text] = JSON.parse(Buffer.from(sealed, 'base64url').toString()) as readonly string[]
        return of === purpose ? text : undefined
      } catch {
        return undefined
      }
    },
  }
}

/** An audit log that a test reads. */
export interface FakeAudit extends Audit {
  /** Every event so far, oldest first. */
  readonly noted: readonly AuditEvent[]
}

/** Records events; those of a transaction at the call, once for each attempt. */
export function createFakeAudit(): FakeAudit {
  const noted: AuditEvent[] = []
  return { noted, note: async (event) => void noted.push(event), record: (_transaction, event) => void noted.push(event) }
}

/** Keeps files in memory. */
export function createFakeCacheFiles(): CacheFiles {
  const files = new Map<string, string>()
  return {
    read: async (name) => files.get(name),
    write: async (name, text) => void files.set(name, text),
    remove: async (name) => void files.delete(name),
  }
}

/** Has the given files, by path. */
export function createFakeResources(files: Readonly<Record<string, string>> = {}): Resources {
  return {
    list: async (folder) =>
      Object.keys(files)
        .filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'))
        .map((path) => path.slice(folder.length + 1))
        .sort(),
    async read(path) {
      const text = files[path]
      if (text === undefined) throw notFoundError.create({ what: 'file' })
      return text
    },
  }
}

/** Addresses below `https://service.example`. */
export function createFakeUrls(): Urls {
  const below = (path: string): string => `https://service.example${path}`
  return { api: below, page: below, external: below, listener: () => ({ host: '127.0.0.1', port: 9 }) }
}

/** URLs at {@link createFakeUrls}' address that expire after a day; no server answers there. */
export function createFakePresignedUrls(now: () => number): PresignedUrls {
  let count = 0
  return {
    async create(_principal, { target }) {
      count += 1
      const separator = target.includes('?') ? '&' : '?'
      const url = `https://service.example${target}${separator}presign=${count}`
      return { id: `presigned-${count}`, url, expiresAt: now() + 86_400_000 }
    },
  }
}

/** Slots in which every contribution can stand by: the test sets those that run. */
export const createFakeSlots = (): Slots => ({ standby: async () => async () => undefined })
