import { type JsonObject, Type } from '@agent-service/sdk'
import type { StateDocuments } from '../../state-documents/index.js'

/**
 * The document `plugins`: the plugins that an administrator switched off. All other installed
 * plugins are on.
 */
export interface SwitchesDocument extends JsonObject {
  readonly disabled: readonly string[]
}

export const switchesSchema = Type.Object({ disabled: Type.Array(Type.String(), { uniqueItems: true }) })

export const switchesName = 'plugins'

export type PluginSwitches = Awaited<ReturnType<typeof openPluginSwitches>>

export async function openPluginSwitches(stateDocuments: StateDocuments) {
  const document = await stateDocuments.open<SwitchesDocument>({
    name: switchesName,
    schema: switchesSchema,
    initial: { disabled: [] },
  })
  return {
    isOff: (id: string): boolean => document.read().disabled.includes(id),
    /** Stores a switch; durable when it resolves. */
    async set(id: string, position: 'on' | 'off'): Promise<void> {
      if (document.read().disabled.includes(id) === (position === 'off')) return
      await document.update((value) => {
        const others = value.disabled.filter((other) => other !== id)
        return { ...value, disabled: position === 'off' ? [...others, id].sort() : others }
      })
    },
  }
}
