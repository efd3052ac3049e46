import type { Database } from '@agent-service/sdk/services/database'
import { kindUnknownError } from '../common/errors.js'
import { type KindChoice, preferencesCollection } from '../store/notification.js'
import type { KindRegistry } from './kind-registry.js'

/** Where a person gets notifications of a kind. */
export interface Delivery {
  readonly app: boolean
  readonly mail: boolean
  readonly push: boolean
}

/** A change by kind. Absent members stay; null goes back to the default. */
export type PreferenceChange = Readonly<Record<string, { readonly [Place in keyof Delivery]?: boolean | null }>>

/** What people want of which kind. */
export interface Preferences {
  /** Where this person gets this kind. One that is not declared is in the list only. */
  deliveryOf(userId: string, kind: string): Promise<Delivery>
  /** What the person has decided, by kind. */
  choicesOf(userId: string): Promise<Readonly<Record<string, KindChoice>>>
  /** @throws `notification_kind_unknown` for a kind that the person cannot get. */
  change(userId: string, role: 'admin' | 'user', change: PreferenceChange): Promise<void>
  /** Whether the person's devices show what has happened, beside its kind. */
  showsContent(userId: string): Promise<boolean>
  showContent(userId: string, shows: boolean): Promise<void>
  /** Ends the e-mails of a kind, also of one that is not declared at the moment. */
  endMail(userId: string, kind: string): Promise<void>
}

export function createPreferences(dependencies: { readonly database: Database; readonly kinds: KindRegistry }): Preferences {
  const { database, kinds } = dependencies
  const read = (userId: string) => database.collection(preferencesCollection).get(userId)
  const choicesOf: Preferences['choicesOf'] = async (userId) => (await read(userId))?.kinds ?? {}
  const store = (userId: string, change: PreferenceChange): Promise<void> =>
    database.transaction(async (transaction) => {
      const stored = await transaction.get(preferencesCollection, userId)
      const before = stored?.kinds ?? {}
      const after = { ...before }
      for (const [kind, members] of Object.entries(change)) {
        const choice = merged(before[kind] ?? {}, members)
        if (Object.keys(choice).length === 0) delete after[kind]
        else after[kind] = choice
      }
      transaction.put(preferencesCollection, { ...stored, id: userId, user_id: userId, kinds: after })
    })
  return {
    choicesOf,
    async deliveryOf(userId, id) {
      const { app, mail, push } = kinds.get(id) ?? { app: true, mail: false, push: true }
      const choice = (await choicesOf(userId))[id] ?? {}
      return { app: choice.app ?? app, mail: choice.mail ?? mail, push: choice.push ?? push }
    },
    async change(userId, role, change) {
      const known = kinds.list(role).map(({ id }) => id)
      for (const kind of Object.keys(change))
        if (!known.includes(kind)) throw kindUnknownError.create({ kind: kind.slice(0, 100), known: known.join(', ') })
      await store(userId, change)
    },
    showsContent: async (userId) => (await read(userId))?.push_content ?? true,
    showContent: (userId, shows) =>
      database.transaction(async (transaction) => {
        const stored = (await transaction.get(preferencesCollection, userId)) ?? { id: userId, user_id: userId, kinds: {} }
        transaction.put(preferencesCollection, { ...stored, push_content: shows })
      }),
    endMail: (userId, kind) => store(userId, { [kind]: { mail: false } }),
  }
}

function merged(before: KindChoice, change: PreferenceChange[string]): KindChoice {
  const choice: { -readonly [Place in keyof KindChoice]: KindChoice[Place] } = { ...before }
  for (const member of ['app', 'mail', 'push'] as const) {
    const wanted = change[member]
    if (wanted === null) delete choice[member]
    else if (wanted !== undefined) choice[member] = wanted
  }
  return choice
}
