import type { StoredMemory } from '../store/records.js'

/** What is left of a forgotten memory: that there was one. */
export function emptied(memory: StoredMemory, at: string): StoredMemory {
  const base = { ...memory, text: '', evidence: [], sources: [], foreign: null, pinned: false, forgotten: true, updated_at: at }
  switch (base.type) {
    case 'page':
      return { ...base, title: '', aliases: [], links: [] }
    case 'playbook':
      return { ...base, title: '', when_to_use: '' }
    case 'statement':
      return { ...base, value: '' }
    case 'short':
      return { ...base, title: null }
  }
}
