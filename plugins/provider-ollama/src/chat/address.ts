const defaultPort = 11434

/**
 * The root of an Ollama from what a person or `OLLAMA_HOST` says: with or without `http://`, port and path. Nothing means the one of this machine. The
 * paths of its two interfaces (`/api`, `/v1`) are no part of the root; the address on which a server listens everywhere is called as this machine.
 */
export function rootOf(baseUrl: string): string {
  const text = baseUrl.trim().replace(/\/+$/, '')
  if (text === '') return `http://localhost:${defaultPort}`
  const named = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withPort(`http://${text}`)
  return named.replace(/\/(api|v1)$/, '').replace(/^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/i, '$1localhost')
}

/** A bare host is asked at Ollama's port; one with `http://` at the port of HTTP, as its address says. */
const withPort = (url: string): string =>
  /^http:\/\/(\[[^\]]*\]|[^:/]+)(?=\/|$)/.test(url) ? url.replace(/^http:\/\/(\[[^\]]*\]|[^:/]+)/, `$&:${defaultPort}`) : url
