import { emailAddress } from '../email-addresses/index.js'
import { decodedComponent } from './characters.js'

/** One mailbox, and what a mail to it is about. */
export interface MailTarget {
  readonly address: string
  /** Where the mailbox is. */
  readonly host: string
  readonly href: string
}

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

/** An address as it was written, with its domain in ASCII. */
function oneAddress(text: string): string | undefined {
  const form = text === text.trim() ? emailAddress(text) : undefined
  return form && `${text.normalize('NFC').replace(/@[^@]*$/, '')}@${form.slice(form.lastIndexOf('@') + 1)}`
}

function subjectOf(search: string): string {
  const [, written = ''] = /^\?(?:[^&]*&)*?subject=([^&]*)/i.exec(search) ?? []
  const subject = (decodedComponent(written) ?? '').replace(/\p{C}+/gu, ' ').trim()
  return subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`
}
