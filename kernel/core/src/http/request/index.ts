export { scopesOf } from './access.js'
export { servesOthers } from './client-address.js'
export { parseCookies, refreshCookieName, withPresign } from './credentials.js'
export type { NoteOperation } from './note-operation.js'
