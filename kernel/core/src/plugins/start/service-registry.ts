import { duplicateContributionError } from '@agent-service/sdk/host'

export class ServiceRegistry {
  readonly #provided = new Map<string, { readonly pluginId: string; readonly service: unknown }>()

  get(id: string): { readonly pluginId: string; readonly service: unknown } | undefined {
    return this.#provided.get(id)
  }

  /**
   * Makes a plugin's services visible, all at once. The result removes them.
   * @throws `duplicate_contribution` naming both providers.
   */
  admit(pluginId: string, services: ReadonlyMap<string, unknown>): () => void {
    const provided = this.#provided
    for (const id of services.keys()) {
      const owner = provided.get(id)
      if (owner) throw duplicateContributionError.create({ point: 'services', key: id, plugin: pluginId, owner: owner.pluginId })
    }
    for (const [id, service] of services) provided.set(id, { pluginId, service })
    return () => {
      for (const id of services.keys()) if (provided.get(id)?.pluginId === pluginId) provided.delete(id)
    }
  }
}
