import type { MailLanguage } from '../common/mail-language.js'
import type { MailPurpose } from '../store/stored-mail.js'

/** What an e-mail says that the service itself writes. */
export interface Letter {
  readonly subject: string
  readonly text: string
  readonly link: { readonly label: string; readonly path: string }
}

type Letters = Readonly<Record<Exclude<MailPurpose, 'message'>, (code: string) => Letter>>

const english: Letters = {
  confirmation: (code) => ({
    subject: 'Confirm your e-mail address',
    text: [
      'Someone entered this e-mail address for an account of this service. If it was you, enter this code in your profile, where you are signed in:',
      code,
      'It is valid for 30 minutes. The service never asks for it elsewhere: do not pass it on.',
      'If it was not you, there is nothing to do. Without the code nothing else is sent to this address.',
    ].join('\n\n'),
    link: { label: 'Open your profile', path: '/profile' },
  }),
  address_changed: () => ({
    subject: 'The e-mail address of your account was changed',
    text: [
      'Your account of this service no longer has this e-mail address, and nothing else is sent to it.',
      'If it was not you who changed that, sign in and look at your profile and at the devices that are signed in, or write to an administrator of the service.',
    ].join('\n\n'),
    link: { label: 'Open your profile', path: '/profile' },
  }),
}

const german: Letters = {
  confirmation: (code) => ({
    subject: 'Bestätige deine E-Mail-Adresse',
    text: [
      'Jemand hat diese E-Mail-Adresse für ein Konto bei diesem Dienst eingegeben. Wenn du es warst, gib diesen Code in deinem Profil ein, dort, wo du angemeldet bist:',
      code,
      'Er gilt 30 Minuten. Der Dienst fragt sonst nirgends nach ihm: Gib ihn nicht weiter.',
      'Wenn du es nicht warst, ist nichts zu tun. Ohne den Code geht nichts weiter an diese Adresse.',
    ].join('\n\n'),
    link: { label: 'Profil öffnen', path: '/profile' },
  }),
  address_changed: () => ({
    subject: 'Die E-Mail-Adresse deines Kontos wurde geändert',
    text: [
      'Dein Konto bei diesem Dienst hat diese E-Mail-Adresse nicht mehr, und nichts weiter geht an sie.',
      'Wenn du das nicht selbst geändert hast, melde dich an, und sieh dir dein Profil und die angemeldeten Geräte an, oder schreib einem Administrator des Dienstes.',
    ].join('\n\n'),
    link: { label: 'Profil öffnen', path: '/profile' },
  }),
}

/**
 * The letters to addresses. Their readers may never have heard of the account, so nothing in them was
 * chosen by a person but the language: no name, no address, no link but the service's own page.
 */
export const letters: Readonly<Record<MailLanguage, Letters>> = { en: english, de: german }
