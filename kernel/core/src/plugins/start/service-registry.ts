import { duplicateContributionError } from '@agent-service/sdk/host'

/** A service and its provider. */
export interface ProvidedService {
  readonly pluginId: string
  readonly service: unknown
}

/** The services that active plugins provide. */
export interface ServiceRegistry {
  get(id: string): ProvidedService | undefined
  /**
   * Makes a plugin's services visible, all at once. The result removes them. @throws
   * `duplicate_contribution` naming both providers.
   */
  admit(pluginId: string, services: ReadonlyMap<string, unknown>): () => void
}

export function createServiceRegistry(): ServiceRegistry {
  const provided = new Map<string, ProvidedService>()
  return {
    get: (id) => provided.get(id),
    admit(pluginId, services) {
      for (const id of services.keys()) {
        const owner = provided.get(id)
        if (owner) throw duplicateContributionError.create({ point: 'services', key: id, plugin: pluginId, owner: owner.pluginId })
      }
      for (const [id, service] of services) provided.set(id, { pluginId, service })
      return () => {
        for (const id of services.keys()) if (provided.get(id)?.pluginId === pluginId) provided.delete(id)
      }
    },
  }
}
