import type { MailPurpose } from '../store/stored-mail.js'

/** What an e-mail says that the service itself writes. */
export interface Letter {
  readonly subject: string
  readonly text: string
  readonly link: { readonly label: string; readonly path: string }
}

const link = { label: 'Open your profile', path: '/profile' }

/**
 * The letters to addresses. Their readers may never have heard of the account, so nothing in them was
 * chosen by a person: no name, no address, no link but the service's own page.
 */
export const letters: Readonly<Record<Exclude<MailPurpose, 'message'>, (code: string) => Letter>> = {
  confirmation: (code) => ({
    subject: 'Confirm your e-mail address',
    text: [
      'Someone entered this e-mail address for an account of this service. If it was you, enter this code in your profile, where you are signed in:',
      code,
      'It is valid for 30 minutes. The service never asks for it elsewhere: do not pass it on.',
      'If it was not you, there is nothing to do. Without the code nothing else is sent to this address.',
    ].join('\n\n'),
    link,
  }),
  address_changed: () => ({
    subject: 'The e-mail address of your account was changed',
    text: [
      'Your account of this service no longer has this e-mail address, and nothing else is sent to it.',
      'If it was not you who changed that, sign in and look at your profile and at the devices that are signed in, or write to an administrator of the service.',
    ].join('\n\n'),
    link,
  }),
}
