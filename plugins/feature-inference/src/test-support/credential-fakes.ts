import {
  type CredentialContent,
  type CredentialSummary,
  type Credentials,
  credentialExistsError,
  credentialNotFoundError,
} from '@agent-service/sdk/services/credentials'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import type { Urls } from '@agent-service/sdk/services/urls'

/** Sealed texts that contain their location and open only there. */
export const fakeSealedFields: SealedFields = {
  seal: async (text, location) => Buffer.from(JSON.stringify([nameOf(location), text]), 'utf8').toString('base64'),
  async open(sealed, location) {
    const [name, text] = JSON.parse(Buffer.from(sealed, 'base64').toString('utf8')) as [string, string]
    if (name !== nameOf(location)) throw new Error('sealed for another location')
    return text
  },
}

const nameOf = ({ collection, id, field }: Parameters<SealedFields['seal']>[1]): string => `${collection.name}/${id}/${field}`

export const fakeUrls: Urls = {
  api: (path) => `http://service.test${path}`,
  page: (path) => `http://service.test${path}`,
  external: (path) => `http://service.test${path}`,
  listener: () => ({ host: '127.0.0.1', port: 9 }),
}

/** A credential stored in the fake below. */
export interface KeptCredential {
  readonly summary: CredentialSummary
  readonly content: CredentialContent
}

/**
 * Credentials of the deployment in memory, without sign-ins. `fail` makes every `open` fail;
 * `renewed` replaces a refused token.
 */
export function createFakeCredentials(): Credentials & {
  readonly kept: Map<string, KeptCredential>
  fail: Error | undefined
  renewed: string | undefined
} {
  const kept = new Map<string, KeptCredential>()
  const refuse = async (): Promise<never> => Promise.reject(new Error('The fake does not support this.'))
  const credentials = {
    kept,
    fail: undefined as Error | undefined,
    renewed: undefined as string | undefined,
    async create({ id = 'made', owner, purpose, label, details = {}, content, moved }: Parameters<Credentials['create']>[0]) {
      if (kept.has(id)) throw credentialExistsError.create({ id })
      const reason = moved?.reauthenticationReason
      const summary: CredentialSummary = {
        ...{ owner, id, purpose, label, details, kind: content.kind, fields: [], hint: '', changedAt: 0 },
        createdAt: moved?.createdAt ?? 0,
        ...(reason === undefined ? { state: 'ready' } : { state: 'reauthentication_required', reason }),
      }
      kept.set(id, { summary, content })
      return summary
    },
    get: async ({ id }: { readonly id: string }) => kept.get(id)?.summary,
    list: async () => ({ items: [...kept.values()].map(({ summary }) => summary) }),
    async open({ id }: { readonly id: string }, { refused }: { readonly refused?: string }) {
      if (credentials.fail) throw credentials.fail
      const content = kept.get(id)?.content
      if (!content) throw credentialNotFoundError.create({ id })
      if (content.kind === 'secret') return content
      const accessToken = content.tokens?.accessToken ?? ''
      return { kind: 'oauth' as const, accessToken: accessToken === refused ? (credentials.renewed ?? accessToken) : accessToken }
    },
    delete: async ({ id }: { readonly id: string }) => kept.delete(id),
    ...{ replace: refuse, change: refuse, beginSignIn: refuse, completeSignIn: refuse },
    onDelete: () => () => undefined,
    getSignIn: () => undefined,
    cancelSignIn: () => undefined,
  }
  return credentials
}
