/**
 * The path below which the service gives this page to browsers; empty for the root of a host. The
 * service writes it into the addresses of the page's own files, and the manifest lies at it.
 */
export const basePath: string = baseOf(document.querySelector<HTMLLinkElement>('link[rel="manifest"]'))

function baseOf(manifest: HTMLLinkElement | null): string {
  return manifest === null ? '' : new URL('.', manifest.href).pathname.slice(0, -1)
}

/**
 * The address that the browser needs for a path of the service, such as `/api/chats` or `/files`.
 * Every path goes through it once, where it leaves the code; other addresses stay as they are.
 */
export const placed = (address: string): string => (/^\/(?!\/)/.test(address) ? `${basePath}${address}` : address)

/** The path of the service in that of an address; `undefined` if it is not below the base path. */
export function pathWithin(pathname: string): string | undefined {
  if (pathname === basePath) return '/'
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined
}

/**
 * A name for what all pages of an origin share, such as storage, locks and channels. Another
 * service of the same host has other ones.
 */
export const ownName = (name: string): string => (basePath === '' ? name : `${name}@${basePath}`)
