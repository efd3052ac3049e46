import {
  type CredentialContent,
  type CredentialOwner,
  type CredentialReference,
  type CredentialSummary,
  type Credentials,
  credentialExistsError,
  credentialInUseError,
  credentialNotFoundError,
  type NewCredential,
  reauthenticationRequiredError,
  type SignIn,
  type SignInRequest,
  signInStateError,
} from '../../services/credentials.js'

interface Stored {
  readonly summary: CredentialSummary
  readonly content: CredentialContent
}

interface StoredSignIn {
  readonly request: SignInRequest
  readonly signIn: SignIn
  readonly completed: ((credential: CredentialSummary) => Promise<void>) | undefined
}

const hour = 3_600_000

/**
 * Keeps credentials in memory, in plain text. No server is called: a sign-in completes when
 * `completeSignIn` is called with its id as `state`, and its access token is `fake-token`.
 */
export function createFakeCredentials(now: () => number = Date.now): Credentials {
  const stored = new Map<string, Stored>()
  const signIns = new Map<string, StoredSignIn>()
  const usersOf = new Set<(credential: CredentialSummary) => Promise<readonly string[]>>()
  let made = 0

  const demand = (reference: CredentialReference): Stored => {
    const found = stored.get(keyOf(reference))
    if (found) return found
    throw credentialNotFoundError.create({ id: reference.id })
  }
  const put = (summary: CredentialSummary, content: CredentialContent): CredentialSummary => {
    stored.set(keyOf(summary), { summary, content })
    return summary
  }
  const create = (credential: NewCredential, content: CredentialContent): CredentialSummary => {
    const id = credential.id ?? `credential-${++made}`
    if (stored.has(keyOf({ owner: credential.owner, id }))) throw credentialExistsError.create({ id })
    const { owner, purpose, label, details = {} } = credential
    const times = { createdAt: now(), changedAt: now() }
    return put({ owner, id, purpose, label, details, hint: '', ...times, ...describedBy(content) }, content)
  }
  const signInOf = (id: string, userId: string): StoredSignIn | undefined => {
    const found = signIns.get(id)
    return found?.request.userId === userId ? found : undefined
  }
  const settle = (found: StoredSignIn, change: Partial<SignIn>): SignIn => {
    const signIn = { ...found.signIn, ...change }
    signIns.set(signIn.id, { ...found, signIn })
    return signIn
  }

  return {
    create: async ({ content, ...credential }) => create(credential, content),
    replace: async (reference, content) => put({ ...demand(reference).summary, ...describedBy(content), changedAt: now() }, content),
    async change(reference, { label, details }) {
      const { summary, content } = demand(reference)
      return put({ ...summary, label: label ?? summary.label, details: details ?? summary.details, changedAt: now() }, content)
    },
    get: async (reference) => stored.get(keyOf(reference))?.summary,
    async list({ owner, purpose, limit = 50 }) {
      const all = [...stored.values()].map(({ summary }) => summary)
      const items = all.filter((each) => ownerKey(each.owner) === ownerKey(owner) && (purpose === undefined || each.purpose === purpose))
      return { items: items.slice(0, limit) }
    },
    async open(reference, { signal }) {
      signal.throwIfAborted()
      const { content } = demand(reference)
      if (content.kind === 'secret') return content
      if (content.tokens === undefined) throw reauthenticationRequiredError.create({ id: reference.id, reason: 'the tokens are missing' })
      const { refreshToken: _, ...usable } = content.tokens
      return { kind: 'oauth', ...usable }
    },
    async delete(reference) {
      const found = stored.get(keyOf(reference))
      if (!found) return false
      const users = (await Promise.all([...usersOf].map((ask) => ask(found.summary)))).flat()
      if (users.length > 0) throw credentialInUseError.create({ id: reference.id, users })
      return stored.delete(keyOf(reference))
    },
    onDelete(ask) {
      usersOf.add(ask)
      return () => void usersOf.delete(ask)
    },
    async beginSignIn(request, { signal, completed }) {
      signal.throwIfAborted()
      const id = `sign-in-${++made}`
      const signIn: SignIn = {
        ...{ id, details: request.details ?? {}, flow: request.flow, state: 'pending', expiresAt: now() + hour },
        ...(request.flow === 'device'
          ? { userCode: 'FAKE-CODE', verificationUrl: 'https://sign-in.example/device' }
          : { authorizationUrl: `https://sign-in.example/authorize?state=${id}` }),
      }
      signIns.set(id, { request, signIn, completed })
      return signIn
    },
    getSignIn: (id, userId) => signInOf(id, userId)?.signIn,
    cancelSignIn(id, userId) {
      const found = signInOf(id, userId)
      return found && (found.signIn.state === 'pending' ? settle(found, { state: 'cancelled' }) : found.signIn)
    },
    async completeSignIn({ state, error }, { userId, id }) {
      const found = signInOf(id ?? state ?? '', userId)
      if (found?.signIn.state !== 'pending') throw signInStateError.create({})
      if (error !== undefined) return settle(found, { state: 'failed', reason: 'denied', detail: error })
      const { request, completed } = found
      const content: CredentialContent = { kind: 'oauth', client: request.client, tokens: { accessToken: 'fake-token' } }
      const earlier = request.again === undefined ? undefined : demand({ owner: request.owner, id: request.again }).summary
      const credential = earlier
        ? put({ ...earlier, ...describedBy(content), changedAt: now() }, content)
        : create({ owner: request.owner, purpose: request.purpose, label: request.label, ...optional(request) }, content)
      await completed?.(credential)
      return settle(found, { state: 'completed', credentialId: credential.id })
    },
  }
}

const optional = ({ id, details }: NewCredential): Partial<NewCredential> => ({
  ...(id !== undefined && { id }),
  ...(details !== undefined && { details }),
})

const ownerKey = (owner: CredentialOwner): string => (owner === 'deployment' ? owner : `user ${owner.userId}`)
const keyOf = ({ owner, id }: CredentialReference): string => JSON.stringify([ownerKey(owner), id])

function describedBy(content: CredentialContent): Pick<CredentialSummary, 'kind' | 'fields' | 'state'> {
  if (content.kind === 'secret') return { kind: 'secret', fields: Object.keys(content.fields), state: 'ready' }
  return { kind: 'oauth', fields: [], state: content.tokens === undefined ? 'reauthentication_required' : 'ready' }
}
