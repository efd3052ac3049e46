/**
 * The address of the service for a browser on this machine. Where the service listens on every
 * interface, that is `localhost`: browsers keep sessions without HTTPS only there.
 */
export function browserAddress(url: string): string {
  const address = new URL(url)
  if (address.hostname === '0.0.0.0' || address.hostname === '[::]') address.hostname = 'localhost'
  return address.href.replace(/\/$/, '')
}
