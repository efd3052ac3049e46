import {
  type AgentCredentials,
  agentCredentialNotGrantedError,
  type CredentialAgent,
  type CredentialUse,
  type GrantedCredential,
  type OpenedCredential,
  type SecretMask,
} from '../../services/agent-credentials.js'

/** Credentials of agents that a test grants. */
export interface FakeAgentCredentials extends AgentCredentials {
  /** Lets an agent use a credential, until a test revokes it. A grant for one use ends with it. */
  grant(agent: CredentialAgent, credential: OpenedCredential & { readonly once?: boolean }): void
  /** Ends a grant. Its values stay masked. */
  revoke(agent: CredentialAgent, name: string): void
  /** What was opened, in order, without values. */
  readonly opened: readonly { readonly names: readonly string[]; readonly use: CredentialUse }[]
}

/**
 * Credentials that a test grants to agents. Its masks replace the values of secret fields as they
 * are, in no other encoding, by `[credential <name>]`.
 */
export function createFakeAgentCredentials(): FakeAgentCredentials {
  const grants = new Map<string, Map<string, OpenedCredential & { readonly once?: boolean }>>()
  const secrets = new Map<string, Map<string, string>>()
  const opened: { readonly names: readonly string[]; readonly use: CredentialUse }[] = []
  const of = (agent: CredentialAgent) => grants.get(keyOf(agent)) ?? new Map<string, OpenedCredential & { readonly once?: boolean }>()

  return {
    opened,
    grant(agent, credential) {
      grants.set(keyOf(agent), of(agent).set(credential.name, credential))
    },
    revoke: (agent, name) => void of(agent).delete(name),
    granted: async (agent) => [...of(agent).values()].map(viewOf),
    async open(names, use, { signal }) {
      signal.throwIfAborted()
      const granted = of(use)
      const found = names.map((name) => {
        const credential = granted.get(name)
        if (credential === undefined) throw agentCredentialNotGrantedError.create({ name, granted: [...granted.keys()] })
        return credential
      })
      const known = secrets.get(keyOf(use)) ?? new Map<string, string>()
      secrets.set(keyOf(use), known)
      for (const { name, fields, once } of found) {
        for (const { secret, value } of fields) if (secret) known.set(value, name)
        if (once) granted.delete(name)
      }
      opened.push({ names, use })
      return found.map(({ name, fields }) => ({ name, fields }))
    },
    mask: async (agent) => createPlainMask(() => [...(secrets.get(keyOf(agent)) ?? [])]),
  }
}

const keyOf = ({ userId, agentId }: CredentialAgent): string => `${userId}/${agentId}`

const viewOf = ({ name, fields, once = false }: OpenedCredential & { readonly once?: boolean }): GrantedCredential => ({
  ...{ name, title: name, once, until: null },
  fields: fields.map(({ value: _hidden, ...field }) => field),
})

function createPlainMask(secrets: () => readonly (readonly [value: string, name: string])[]): SecretMask {
  let waiting = ''
  const masked = (text: string): string => secrets().reduce((left, [value, name]) => left.replaceAll(value, `[credential ${name}]`), text)
  return {
    take(text) {
      const whole = masked(waiting + text)
      // The longest end that is the beginning of a secret.
      const begun = secrets().flatMap(([value]) =>
        [...value].map((_, index) => value.slice(0, index)).filter((start) => whole.endsWith(start)),
      )
      const held = Math.max(0, ...begun.map(({ length }) => length))
      waiting = whole.slice(whole.length - held)
      return whole.slice(0, whole.length - held)
    },
    end: () => waiting,
  }
}
