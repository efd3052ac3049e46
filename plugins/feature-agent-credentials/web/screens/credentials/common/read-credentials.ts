import { type NamedAgent, pageQuery, readAgents, readAll } from '@agent-service/sdk/web'
import { api } from '../../../api/index.js'
import type { Credential, Grant, GrantSource, Source } from '../../../credentials/source.js'

/** What the screen of credentials shows. */
export interface Overview {
  readonly sources: readonly Source[]
  readonly agents: readonly NamedAgent[]
}

export const sourceKey = (source: GrantSource): string =>
  source.kind === 'local' ? `local ${source.credential_id}` : `vault ${source.vault_id} ${source.item_id}`

/** The person's own credentials, and items of vaults that some agent may use. */
export async function readOverview(signal: AbortSignal): Promise<Overview> {
  const [credentials, grants, agents, vaults] = await Promise.all([
    readAll((cursor) => api.get('/api/credentials', { query: pageQuery(cursor), signal })),
    readAll((cursor) => api.get('/api/credentials/grants', { query: pageQuery(cursor), signal })),
    readAgents(signal),
    readAll((cursor) => api.get('/api/vaults', { query: pageQuery(cursor), signal })),
  ])
  const bySource = new Map<string, readonly Grant[]>()
  for (const grant of grants) {
    const key = sourceKey(grant.source)
    bySource.set(key, [...(bySource.get(key) ?? []), grant])
  }
  const own = credentials.map((credential) => sourceOf(credential, bySource.get(`local ${credential.id}`) ?? []))
  const titles = new Map(vaults.map(({ id, title }) => [id, title]))
  const ofVaults = [...bySource].flatMap(([key, some]): readonly Source[] => {
    const [first] = some
    if (first?.source.kind !== 'vault') return []
    const { source, title, fields } = first
    return [
      { key, source, name: undefined, title, fields, credential: undefined, vault: titles.get(source.vault_id) ?? null, grants: some },
    ]
  })
  return { sources: [...own, ...ofVaults], agents }
}

const sourceOf = (credential: Credential, grants: readonly Grant[]): Source => ({
  key: `local ${credential.id}`,
  source: { kind: 'local', credential_id: credential.id },
  ...{ name: credential.name, title: credential.title, fields: credential.fields, credential, vault: undefined, grants },
})
