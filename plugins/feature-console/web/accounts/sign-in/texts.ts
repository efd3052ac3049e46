import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    ask: 'Ask for an account',
    cookies:
      'The service accepted this, but the browser did not keep the session. It does so only over HTTPS or on the machine itself: open the console at such an address.',
    create: 'Create account',
    creating: 'Creating account',
    password: 'Password',
    password_help: 'At least 8 characters. A sentence is easier to remember.',
    setup_code: 'Set-up code',
    setup_code_help: 'The service printed it when it started.',
    setup_code_wrong: 'This is not the code that the service printed.',
    sign_in: 'Sign in',
    sign_up: 'Create an account',
    to_host: 'to {host}',
    unencrypted:
      'This address is not encrypted: others in the network can read your password, and the browser will not keep you signed in. Open the console over HTTPS, or through an SSH tunnel (ssh -L {port}:localhost:{port} …) at http://localhost:{port}. The documentation says how: “At home, over plain http”.',
    username: 'Username',
    username_help: '2 to 32 characters: a to z, digits, “_” and “-”, a letter first.',
  },
  de: {
    ask: 'Um ein Konto bitten',
    cookies:
      'Der Dienst hat das angenommen, aber der Browser hat die Sitzung nicht behalten. Das tut er nur über HTTPS oder auf dem Rechner selbst: Öffne die Konsole unter einer solchen Adresse.',
    create: 'Konto anlegen',
    creating: 'Konto wird angelegt',
    password: 'Passwort',
    password_help: 'Mindestens 8 Zeichen. Einen Satz merkt man sich leichter.',
    setup_code: 'Einrichtungscode',
    setup_code_help: 'Der Dienst hat ihn beim Start ausgegeben.',
    setup_code_wrong: 'Das ist nicht der Code, den der Dienst ausgegeben hat.',
    sign_in: 'Anmelden',
    sign_up: 'Konto anlegen',
    to_host: 'bei {host}',
    unencrypted:
      'Diese Adresse ist nicht verschlüsselt: Andere im Netz können dein Passwort lesen, und der Browser behält die Anmeldung nicht. Öffne die Konsole über HTTPS oder durch einen SSH-Tunnel (ssh -L {port}:localhost:{port} …) unter http://localhost:{port}. Die Dokumentation sagt, wie: „At home, over plain http“.',
    username: 'Benutzername',
    username_help: '2 bis 32 Zeichen: a bis z, Ziffern, „_“ und „-“, zuerst ein Buchstabe.',
  },
})
