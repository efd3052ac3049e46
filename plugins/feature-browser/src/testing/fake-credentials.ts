import {
  type AgentCredentials,
  agentCredentialNotGrantedError,
  type CredentialUse,
  type GrantedField,
} from '@agent-service/sdk/services/agent-credentials'

/** Credentials of agents in memory: what was opened, and a mask that knows every value. */
export interface FakeAgentCredentials extends AgentCredentials {
  readonly opened: readonly { readonly names: readonly string[]; readonly use: CredentialUse }[]
}

export function createFakeAgentCredentials(values: Readonly<Record<string, Readonly<Record<string, string>>>>): FakeAgentCredentials {
  const opened: { readonly names: readonly string[]; readonly use: CredentialUse }[] = []
  const fieldOf = (name: string): GrantedField => ({ name, secret: name !== 'username', variable: null, as: 'value' })
  const secrets = Object.values(values).flatMap((fields) =>
    Object.entries(fields).flatMap(([name, value]) => (name === 'username' ? [] : [value])),
  )
  return {
    opened,
    granted: async () =>
      Object.entries(values).map(([name, fields]) => ({
        name,
        title: name,
        fields: Object.keys(fields).map(fieldOf),
        once: false,
        until: null,
      })),
    async open(names, use) {
      opened.push({ names, use })
      return names.map((name) => {
        const fields = values[name]
        if (fields === undefined) throw agentCredentialNotGrantedError.create({ name, granted: Object.keys(values) })
        return { name, fields: Object.entries(fields).map(([field, value]) => ({ ...fieldOf(field), value })) }
      })
    },
    async mask() {
      let waiting = ''
      const end = (): string => secrets.reduce((text, secret) => text.replaceAll(secret, '[masked]'), waiting)
      const take = (text: string): string => {
        waiting += text
        return ''
      }
      return {
        take,
        end,
        takeParts: (text) => [{ length: 0, shown: take(text) }],
        endParts: () => [{ length: waiting.length, shown: end() }],
      }
    },
  }
}
