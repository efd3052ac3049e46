import { decodedComponent } from './characters.js'

/** One mailbox, and what a mail to it is about. */
export interface MailTarget {
  readonly address: string
  /** Where the mailbox is. */
  readonly host: string
  readonly href: string
}

const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const typedDomain = /^[\p{L}\p{M}\p{N}.-]+$/u
const domainName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/**
 * What a `mailto:` address leads to, or `undefined` if that is not exactly one mailbox. Only its subject
 * is kept: further recipients, texts and files in it would be sent by people who see one address.
 */
export function mailTarget({ pathname, search }: URL): MailTarget | undefined {
  const address = oneAddress(decodedComponent(pathname) ?? '')
  if (address === undefined) return undefined
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1)
  const local = encodeURI(address.slice(0, at)).replace(/[/?#&=$]/g, encodeURIComponent)
  return { address, host, href: `mailto:${local}@${host}${subjectOf(search)}` }
}

/** The form in which two spellings of an address are compared. */
export const sameAddress = (text: string): string | undefined => oneAddress(text)?.toLowerCase()

/** By the rules of `emailAddress` of the kit of addresses, which needs Node. */
function oneAddress(text: string): string | undefined {
  const parts = text.normalize('NFC').split('@')
  const [local = '', domain = ''] = parts
  if (parts.length !== 2 || text.length > 320 || unseen.test(text) || !localPart.test(local) || !typedDomain.test(domain)) return undefined
  const host = URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : ''
  return domainName.test(host) && !/^\d+(?:\.\d+){3}$/.test(host) ? `${local}@${host}` : undefined
}

function subjectOf(search: string): string {
  const [, written = ''] = /^\?(?:[^&]*&)*?subject=([^&]*)/i.exec(search) ?? []
  const subject = (decodedComponent(written) ?? '').replace(/\p{C}+/gu, ' ').trim()
  return subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`
}
