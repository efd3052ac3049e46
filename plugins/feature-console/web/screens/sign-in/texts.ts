import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    account_note: 'You are the first one here: this account becomes the administrator.',
    address: 'Name or e-mail',
    demo_link: 'The link works once, within ten minutes of the start of the demo. Start the demo again for a new one.',
    local_off: 'Passwords are switched off. Sign in with single sign-on.',
    new_here: 'New here?',
    no_way: 'Passwords are switched off, and single sign-on is not set up. Ask an administrator.',
    or: 'or',
    setup_code_elsewhere: 'Only from another machine: the service printed it when it started.',
    set_up: 'Set up Agent Service',
    signing_in: 'Signing in',
    sso: 'Continue with single sign-on',
  },
  de: {
    account_note: 'Du bist hier die erste Person: Dieses Konto wird zum Administrator.',
    address: 'Name oder E-Mail',
    demo_link: 'Der Link gilt einmal und in den zehn Minuten nach dem Start der Demo. Starte die Demo neu für einen neuen.',
    local_off: 'Passwörter sind abgeschaltet. Melde dich mit Single Sign-on an.',
    new_here: 'Neu hier?',
    no_way: 'Passwörter sind abgeschaltet, und Single Sign-on ist nicht eingerichtet. Frage einen Administrator.',
    or: 'oder',
    setup_code_elsewhere: 'Nur von einem anderen Rechner aus: Der Dienst hat ihn beim Start ausgegeben.',
    set_up: 'Agent Service einrichten',
    signing_in: 'Anmeldung läuft',
    sso: 'Weiter mit Single Sign-on',
  },
})
