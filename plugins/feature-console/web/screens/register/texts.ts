import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    ask_lead: 'An administrator approves it. Choose a name and a password now; with them you sign in afterwards.',
    closed: 'Only an administrator can create accounts here. Ask for one, then sign in.',
    closed_title: 'Registration is closed',
    have_account: 'You have an account?',
    invited: 'You are invited',
    invited_email: 'The account gets the address {email}.',
    invited_void: 'This invitation does not work',
    invited_way: 'Ask the person who sent it for a new one. If you have an account already, sign in.',
    waiting: 'An administrator has to approve your account. Then sign in with the name and the password that you have chosen.',
    waiting_title: 'Waiting for an administrator',
  },
  de: {
    ask_lead: 'Ein Administrator gibt es frei. Wähle jetzt einen Namen und ein Passwort; damit meldest du dich danach an.',
    closed: 'Hier legt nur ein Administrator Konten an. Bitte um eines und melde dich dann an.',
    closed_title: 'Registrierung ist geschlossen',
    have_account: 'Du hast ein Konto?',
    invited: 'Du bist eingeladen',
    invited_email: 'Das Konto bekommt die Adresse {email}.',
    invited_void: 'Diese Einladung gilt nicht',
    invited_way: 'Bitte die Person, die sie geschickt hat, um eine neue. Wenn du schon ein Konto hast, melde dich an.',
    waiting: 'Ein Administrator muss dein Konto freigeben. Melde dich danach mit dem Namen und dem Passwort an, die du gewählt hast.',
    waiting_title: 'Wartet auf einen Administrator',
  },
})
