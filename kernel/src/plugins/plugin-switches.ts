import { type JsonObject, Type } from '@agent-service/sdk'
import type { StateDocument, StateDocuments } from '../state-documents/state-documents.js'

/** The document `plugins`: which plugins an administrator switched off. Everything that is installed is on otherwise. */
interface SwitchesDocument extends JsonObject {
  readonly disabled: readonly string[]
}

const schema = Type.Object({ disabled: Type.Array(Type.String(), { uniqueItems: true }) })

/** The switches that outlive the process. */
export interface PluginSwitches {
  isOff(id: string): boolean
  /** Remembers a switch; durable when it resolves. */
  turn(id: string, position: 'on' | 'off'): Promise<void>
}

export async function openPluginSwitches(stateDocuments: StateDocuments): Promise<PluginSwitches> {
  const document: StateDocument<SwitchesDocument> = await stateDocuments.open<SwitchesDocument>({
    name: 'plugins',
    schema,
    initial: { disabled: [] },
  })
  return {
    isOff: (id) => document.read().disabled.includes(id),
    async turn(id, position) {
      if (document.read().disabled.includes(id) === (position === 'off')) return
      await document.update((value) => {
        const others = value.disabled.filter((other) => other !== id)
        return { ...value, disabled: position === 'off' ? [...others, id].sort() : others }
      })
    },
  }
}
