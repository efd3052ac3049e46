/** The kinds of documents that belong to one person, and that requests name. */
export const documentKinds = [
  ...(['agent', 'agent handle', 'chat', 'import', 'branch', 'message', 'answer', 'run', 'call'] as const),
  ...([
    'summary',
    'space',
    'file',
    'folder',
    'upload',
    'binned file',
    'deleted chat',
    'pre-signed URL',
    'token',
    'session',
    'memory',
    'notification',
    'device',
  ] as const),
  ...(['credential', 'grant', 'vault', 'connection', 'webhook key', 'delivery', 'pairing', 'sender', 'own pairing'] as const),
  ...(['task', 'execution', 'process', 'terminal', 'share', 'prompt', 'skill', 'agent skill', 'response'] as const),
] as const

export type DocumentKind = (typeof documentKinds)[number]

/** What a person has: the id of one document of each kind. */
export type Documents = Readonly<Record<DocumentKind, string>>

/** Stands in a described request for the id of a document. */
export const marker = (kind: DocumentKind): string => `‹${kind}›`

const markers = new RegExp(`‹(${documentKinds.join('|')})›`, 'g')

/** The kinds that a text names, each once. */
export const kindsIn = (text: string): readonly DocumentKind[] => [
  ...new Set([...text.matchAll(markers)].map(([, kind]) => kind as DocumentKind)),
]

/** The text with ids in place of its markers. */
export const filled = (text: string, idOf: (kind: DocumentKind) => string, encode: (id: string) => string = (id) => id): string =>
  text.replace(markers, (_, kind: DocumentKind) => encode(idOf(kind)))

/** An id of the same form that no document has. */
export function absentId(id: string): string {
  const last = /[0-9a-z](?=[^0-9a-z]*$)/i
  return id.replace(last, (character) => (/[0-9]/.test(character) ? String((Number(character) + 5) % 10) : character === 'b' ? 'c' : 'b'))
}
