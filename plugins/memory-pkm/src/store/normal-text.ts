import { normalText } from '../common/text.js'
import type { StoredMemory } from './records.js'

const texts = new WeakMap<StoredMemory, string>()

/** Whether it was made already. */
export const hasNormalText = (memory: StoredMemory): boolean => texts.has(memory)

/** The normal text of a memory, made once: views share the memories that a change leaves alone. */
export function normalTextOf(memory: StoredMemory): string {
  const known = texts.get(memory)
  if (known !== undefined) return known
  const normal = normalText(memory.text)
  texts.set(memory, normal)
  return normal
}
