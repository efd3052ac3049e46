const defaultPort = 11434

/**
 * The root of an Ollama from what a person or `OLLAMA_HOST` says: with or without `http://`, port
 * and path. Default: this machine. The paths of its two interfaces (`/api`, `/v1`) are not part of
 * the root; the address on which a server listens everywhere is called as this machine.
 */
export function rootOf(baseUrl: string): string {
  const text = baseUrl.trim().replace(/\/+$/, '')
  if (text === '') return `http://localhost:${defaultPort}`
  const named = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withPort(`http://${text}`)
  return named.replace(/\/(api|v1)$/, '').replace(/^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/i, '$1localhost')
}

/** A bare host gets Ollama's port; one with `http://` the port of HTTP, as in any URL. */
const withPort = (url: string): string =>
  /^http:\/\/(\[[^\]]*\]|[^:/]+)(?=\/|$)/.test(url) ? url.replace(/^http:\/\/(\[[^\]]*\]|[^:/]+)/, `$&:${defaultPort}`) : url
