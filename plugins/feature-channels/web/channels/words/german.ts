interface Words {
  readonly title: string
  readonly description?: string
}

interface StepWords {
  /** The English title of the step. */
  readonly of: string
  readonly title: string
  /** Markdown. `{code}` stands for the block of code of the English text, `{webhook_url}` for the address. */
  readonly text: string
}

interface ChannelWords {
  readonly members: Readonly<Record<string, Words>>
  readonly steps: readonly StepWords[]
}

/** The German words of our own channels. Those of others stay as they are. */
export const german: Readonly<Record<string, ChannelWords>> = {
  discord: {
    members: { token: { title: 'Token des Bots' } },
    steps: [
      {
        of: 'Make a bot',
        title: 'Einen Bot anlegen',
        text: 'Wähle *New Application*. Schalte unter *Bot* den *Message Content Intent* ein, drücke *Reset Token* und kopiere das Token.',
      },
      {
        of: 'Invite the bot',
        title: 'Den Bot einladen',
        text:
          'Wähle unter *OAuth2*, *URL Generator* den Scope `bot` mit *View Channels*, *Send Messages*, *Send Messages in Threads*, *Attach Files* und ' +
          '*Read Message History* und öffne die Adresse. Schreib dem Bot direkt, oder nenne ihn in einem Kanal.',
      },
    ],
  },
  email: {
    members: {
      address: { title: 'E-Mail-Adresse', description: 'An sie schreiben Menschen.' },
      name: { title: 'Name', description: 'Was neben der Adresse zu sehen ist.' },
      user: { title: 'Benutzername', description: 'Beim Mailserver. Vorgabe: die E-Mail-Adresse.' },
      password: { title: 'Passwort', description: 'Beim Mailserver. Wo es Passwörter für Programme gibt („App-Passwörter“), eines davon.' },
      imap_host: { title: 'IMAP-Server' },
      imap_port: { title: 'IMAP-Port', description: 'Vorgabe: der übliche.' },
      imap_security: {
        title: 'IMAP-Schutz',
        description:
          '„tls“ und „starttls“ (993 und 143) werden geprüft. „none“ ist für einen Server im lokalen Netz, den ein Administrator einrichtet.',
      },
      mailbox: { title: 'Postfach', description: 'Der Ordner, der gelesen wird. Vorgabe: INBOX.' },
      smtp_host: { title: 'SMTP-Server' },
      smtp_port: { title: 'SMTP-Port', description: 'Vorgabe: der übliche.' },
      smtp_security: {
        title: 'SMTP-Schutz',
        description:
          '„tls“ und „starttls“ (465 und 587) werden geprüft. „none“ ist für einen Server im lokalen Netz, den ein Administrator einrichtet.',
      },
      smtp_ehlo_name: {
        title: 'Name in EHLO',
        description: 'Hostname, mit dem der SMTP-Server begrüßt wird. Vorgabe: die Domain der Adresse.',
      },
      smtp_user: { title: 'SMTP-Benutzername', description: 'Falls es ein anderer ist.' },
      smtp_password: { title: 'SMTP-Passwort', description: 'Falls es ein anderes ist.' },
      authserv_id: {
        title: 'Name in Authentication-Results',
        description:
          'Der Name, mit dem dein Mailserver seine eigene Kopfzeile Authentication-Results beginnt. Ohne ihn wird kein Absender geprüft.',
      },
      ca: {
        title: 'Zertifizierungsstelle',
        description: 'PEM, für Server, deren Zertifikate keine öffentliche Stelle signiert hat.',
      },
    },
    steps: [
      {
        of: 'Make a mailbox of its own',
        title: 'Ein eigenes Postfach anlegen',
        text:
          'Gib dem Agenten eine Adresse, die kein Mensch benutzt, etwa `hilfe@stadt.example`: Jede Nachricht in ihrem Posteingang wird beantwortet. Schalte IMAP ' +
          'ein, wenn dein Anbieter das verlangt. Mit Zwei-Faktor-Anmeldung erzeuge ein Passwort für Programme („App-Passwort“) und gib dieses an.',
      },
      {
        of: 'Where messages come in',
        title: 'Wo Nachrichten ankommen',
        text: 'Der IMAP-Server deines Anbieters, etwa `imap.stadt.example`. Bleib bei *tls*, wenn dein Anbieter nichts anderes sagt.',
      },
      {
        of: 'Where answers go out',
        title: 'Wo Antworten hinausgehen',
        text: 'Der SMTP-Server deines Anbieters, etwa `smtp.stadt.example`.',
      },
      {
        of: 'Know who writes',
        title: 'Wissen, wer schreibt',
        text:
          'Auf eine Nachricht kann jeder jeden Absender schreiben. Öffne eine Nachricht im Postfach, zeige ihren Quelltext und suche das oberste ' +
          '`Authentication-Results:`. Hat dein eigener Server es geschrieben, kopiere den Namen hinter dem Doppelpunkt bis zum Semikolon. Dann sind Absender, für ' +
          'die ihre Domain bürgt (DMARC oder DKIM), an ihrer Adresse bekannt; alle anderen heißen `unverified:` mit ihrer Adresse und können nur unter diesem ' +
          'Namen hereingelassen werden.',
      },
      {
        of: 'A certificate authority of your own, if you have one',
        title: 'Eine eigene Zertifizierungsstelle, falls du eine hast',
        text: 'Zertifikate der Server werden immer geprüft. Hat eine private Stelle sie signiert, gib deren Zertifikat als PEM an.',
      },
    ],
  },
  slack: {
    members: {
      bot_token: { title: 'Bot-Token', description: 'Beginnt mit xoxb-.' },
      app_token: { title: 'App-Token', description: 'Beginnt mit xapp-. Für den Socket Mode, ohne öffentliche Adresse.' },
      signing_secret: { title: 'Signing Secret', description: 'Für Ereignisse, die Slack an eine öffentliche Adresse schickt.' },
    },
    steps: [
      {
        of: 'Make an app',
        title: 'Eine App anlegen',
        text: 'Wähle *Create New App*, *From a manifest*, deinen Workspace, und gib dieses Manifest an:\n\n{code}',
      },
      {
        of: 'Install the app',
        title: 'Die App installieren',
        text: 'Installiere sie unter *Install App* in deinem Workspace und kopiere das *Bot User OAuth Token*.',
      },
      {
        of: 'Let messages in through Socket Mode',
        title: 'Nachrichten über den Socket Mode hereinlassen',
        text:
          'Lege unter *Basic Information*, *App-Level Tokens* ein Token mit dem Scope `connections:write` an und kopiere es. Der Dienst braucht dann keine ' +
          'öffentliche Adresse. Lass es weg, wenn du stattdessen den nächsten Schritt nimmst.',
      },
      {
        of: 'Or let Slack call the service',
        title: 'Oder Slack den Dienst aufrufen lassen',
        text:
          'Nur ohne App-Token: Schalte den *Socket Mode* aus und kopiere das *Signing Secret* aus *Basic Information*, bevor du die Verbindung speicherst. ' +
          'Gib dann `{webhook_url}` als *Request URL* an, unter *Event Subscriptions* und unter *Interactivity & Shortcuts*.',
      },
      {
        of: 'Invite the app',
        title: 'Die App einladen',
        text: 'Schreib ihr direkt, oder hole sie mit `/invite @agent` in einen Kanal und nenne sie dort.',
      },
    ],
  },
  telegram: {
    members: {
      token: { title: 'Token', description: 'Was @BotFather über den Bot sagt.' },
      receive: {
        title: 'Empfang über',
        description:
          'Mit „polling“ fragt der Dienst bei Telegram nach, mit „webhook“ ruft Telegram den Dienst auf, der dann eine öffentliche Adresse mit https braucht.',
      },
    },
    steps: [
      {
        of: 'Make a bot',
        title: 'Einen Bot anlegen',
        text:
          'Schreib @BotFather in Telegram `/newbot` und wähle einen Namen und einen Benutzernamen. Kopiere das Token aus der Antwort. Nimm einen Bot, den kein ' +
          'anderes Programm benutzt.',
      },
      {
        of: 'Groups, if the bot is to be in any',
        title: 'Gruppen, falls der Bot in welche soll',
        text:
          'In Gruppen sieht ein Bot, was ihn nennt, ihm antwortet oder ein Befehl ist. Damit er alles sieht, schreib @BotFather `/setprivacy`, wähle *Disable* und ' +
          'füge den Bot der Gruppe neu hinzu. Damit er aus Gruppen draußen bleibt, schreib `/setjoingroups`.',
      },
      {
        of: 'Choose how messages come',
        title: 'Wählen, wie Nachrichten kommen',
        text:
          'Bleib bei *polling*: Es geht hinter jedem Router. Ein Webhook braucht eine Adresse des Dienstes, die aus dem Internet erreichbar ist, mit https am Port ' +
          '443, 80, 88 oder 8443.',
      },
    ],
  },
  webhook: {
    members: {
      url: { title: 'Adresse', description: 'Wohin Antworten gesendet werden. Mit https.' },
      secret: { title: 'Geheimnis', description: 'Signiert in beide Richtungen: mindestens 32 Zeichen.' },
      token: { title: 'Token', description: 'Wird zusätzlich zur Signatur als „Authorization: Bearer“ gesendet und verlangt.' },
    },
    steps: [
      {
        of: 'Make a secret',
        title: 'Ein Geheimnis erzeugen',
        text: 'Führe `openssl rand -hex 32` aus und lege das Ergebnis dort ab, wo dein Programm es liest.',
      },
      {
        of: 'Say where answers go',
        title: 'Sagen, wohin Antworten gehen',
        text: 'Die Adresse wird jetzt einmal mit `{"type":"hello"}` aufgerufen: Sie muss mit 200 und einem JSON-Objekt antworten, oder mit 204.',
      },
    ],
  },
}
