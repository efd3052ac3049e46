import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type JsonObject, Type, validate } from '@agent-service/sdk'
import type { StateDocuments } from '../../state-documents/index.js'

/**
 * The document `plugins`: the plugins that an administrator switched off. All other installed
 * plugins are on.
 */
interface SwitchesDocument extends JsonObject {
  readonly disabled: readonly string[]
}

const schema = Type.Object({ disabled: Type.Array(Type.String(), { uniqueItems: true }) })

const documentName = 'plugins'

/**
 * Reads which plugins are switched off, from the folder of the state documents, without opening it.
 * If they cannot be read, all plugins count as off.
 */
export async function readSwitchedOff(folder: string): Promise<(id: string) => boolean> {
  try {
    const document: unknown = JSON.parse(await readFile(path.join(folder, `${documentName}.json`), 'utf8'))
    if (validate(schema, document).length > 0) return () => true
    const { disabled } = document as SwitchesDocument
    return (id) => disabled.includes(id)
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return () => !isAbsent
  }
}

export type PluginSwitches = Awaited<ReturnType<typeof openPluginSwitches>>

export async function openPluginSwitches(stateDocuments: StateDocuments) {
  const document = await stateDocuments.open<SwitchesDocument>({
    name: documentName,
    schema,
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
