/**
 * The part of the package that is used: its main entry also loads `fetch`, caches, mocks and
 * WebSockets, a hundred modules more.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}
