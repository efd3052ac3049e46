import type { Entrance } from '../composition/serving-phase.js'
import { type Line, styled } from '../terminal/terminal.js'
import { browserAddress } from './browser-address.js'

/**
 * The lines that say where to set up the service or sign in. `demoSecret` is that of the demo's
 * link: it stands behind the `#`, so that browsers send it to no server.
 */
export function entranceLines(service: {
  readonly url: string
  readonly entrance: Entrance
  readonly demoSecret: string | undefined
}): readonly Line[] {
  const { url, entrance, demoSecret } = service
  const { needsAccount, setupCode } = entrance
  const address = (entrance.address ?? browserAddress(url)).replace(/\/+$/, '')
  if (demoSecret !== undefined)
    return [
      styled('bold', `Open it, signed in:  ${browserAddress(url)}/#demo=${demoSecret}`),
      'The link works once, within ten minutes, on this machine.',
    ]
  if (!needsAccount) return [`Sign in:  ${address}/`]
  return [`Set it up:  ${address}/${setupCode === undefined ? '' : `?setup_code=${setupCode}`}`]
}
