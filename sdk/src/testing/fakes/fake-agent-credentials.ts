import {
  type AgentCredentials,
  agentCredentialNotGrantedError,
  type CredentialAgent,
  type CredentialUse,
  type GrantedCredential,
  type MaskedPart,
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
  /** The part at the beginning of a text: a secret, or all up to the next one. */
  const partAt = (text: string): MaskedPart => {
    const [value, name] = secrets().find(([secret]) => text.startsWith(secret)) ?? []
    if (value !== undefined) return { length: value.length, shown: `[credential ${name}]` }
    const next = secrets()
      .flatMap(([secret]) => text.indexOf(secret, 1))
      .filter((index) => index > 0)
    const length = Math.min(text.length, ...next)
    return { length, shown: text.slice(0, length) }
  }
  const partsOf = (text: string): readonly MaskedPart[] => {
    const parts: MaskedPart[] = []
    for (let at = 0; at < text.length; at += parts.at(-1)?.length ?? 0) parts.push(partAt(text.slice(at)))
    return parts
  }
  /** How many characters at the end of a text are the beginning of a secret. */
  const begunLength = (text: string): number => {
    const begun = secrets().flatMap(([value]) =>
      Array.from(value, (_, index) => value.slice(0, index)).filter((start) => text.endsWith(start)),
    )
    return Math.max(0, ...begun.map(({ length }) => length))
  }
  const takeParts = (text: string): readonly MaskedPart[] => {
    const whole = waiting + text
    const parts = partsOf(whole)
    const { length = 0, shown = '' } = parts.at(-1) ?? {}
    const isText = shown === whole.slice(whole.length - length)
    const held = isText ? begunLength(shown) : 0
    waiting = whole.slice(whole.length - held)
    return partsOf(whole.slice(0, whole.length - held))
  }
  const endParts = (): readonly MaskedPart[] => partsOf(waiting)
  const shownOf = (parts: readonly MaskedPart[]): string => parts.map(({ shown }) => shown).join('')
  return { takeParts, endParts, take: (text) => shownOf(takeParts(text)), end: () => shownOf(endParts()) }
}
