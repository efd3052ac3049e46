export { scopesOf } from './access.js'
export { servesOthers } from './client-address.js'
export { parseCookies, refreshCookieName, withPresign } from './credentials.js'
export { ClientDisconnectedError, type Exchange } from './exchange.js'
