import { isDeepStrictEqual } from 'node:util'
import type { StateDocuments } from '../../state-documents/index.js'
import { type OrderDocument, orderName, orderPlugins, orderSchema, type SeenPlugin } from './plugin-order.js'

/** Stores since when the plugins of this start are there; durable when it resolves. Writes nothing if none came or went. */
export async function recordOrder(stateDocuments: StateDocuments, found: readonly SeenPlugin[], now: string): Promise<void> {
  const document = await stateDocuments.open<OrderDocument>({ name: orderName, schema: orderSchema, initial: { plugins: [] } })
  const stored = document.read().plugins
  const plugins = orderPlugins(stored, found, now)
  if (!isDeepStrictEqual(plugins, stored)) await document.update(() => ({ plugins }))
}
