import { createReasonText, type GermanReasons, type ReasonText } from '@agent-service/sdk/web'

/** Why plugins of the product need what they may do, in German. A test compares the English side with what they declare. */
export const germanPermissions: GermanReasons = [
  ['Keeps the skills that people install and write.', 'Bewahrt die Fertigkeiten auf, die Menschen installieren und schreiben.'],
  [
    'Fetches archives of skills from public https addresses that people name.',
    'Holt Archive von Fertigkeiten von öffentlichen https-Adressen, die Menschen nennen.',
  ],
  [
    'Stores the credentials of connections encrypted, and opens them for the channel of each.',
    'Speichert die Zugangsdaten von Verbindungen verschlüsselt, und öffnet sie für den Kanal einer jeden.',
  ],
  [
    'Stores the files that come with messages, and reads those that agents send to the conversations in which they answer.',
    'Speichert die Dateien, die mit Nachrichten kommen, und liest die, die Agenten in ihre Gespräche senden.',
  ],
  ['Starts, measures and ends the processes of agents.', 'Startet, misst und beendet die Prozesse der Agenten.'],
  [
    'Reads each document in a process with bounded memory and time.',
    'Liest jedes Dokument in einem Prozess mit begrenztem Speicher und begrenzter Zeit.',
  ],
  ['Sends conversations to the configured model endpoints.', 'Sendet Gespräche an die eingestellten Endpunkte der Modelle.'],
  ['Sends the searches of agents to Brave Search.', 'Sendet die Suchanfragen der Agenten an Brave Search.'],
  [
    'Stores credentials of people encrypted, and opens them for the agents to which they are granted.',
    'Speichert Zugangsdaten von Menschen verschlüsselt, und öffnet sie für die Agenten, denen sie freigegeben sind.',
  ],
  [
    'Reads the vault files that people connect, such as a KeePass database.',
    'Liest die Tresordateien, die Menschen verbinden, etwa eine KeePass-Datenbank.',
  ],
  [
    'Sends the searches of agents to the configured instance of SearXNG.',
    'Sendet die Suchanfragen der Agenten an die eingestellte Instanz von SearXNG.',
  ],
  [
    'Sends conversations to the configured model endpoints, exchanges GitHub tokens for Copilot tokens, and calls for signed-in accounts.',
    'Sendet Gespräche an die eingestellten Endpunkte der Modelle, tauscht Token von GitHub in solche von Copilot, und ruft für angemeldete Konten auf.',
  ],
  ['Keeps the database in the folder of database.path.', 'Bewahrt die Datenbank im Ordner von database.path auf.'],
  ['Sends traces to the configured collector.', 'Sendet Traces an den eingestellten Empfänger.'],
  [
    'Reads mails at the mail server of a connection and hands answers to it: of a user, a public one; of the deployment, also one of the local network.',
    'Liest E-Mails beim Mailserver einer Verbindung, und übergibt ihm Antworten: für Benutzer einem öffentlichen, für den Dienst auch einem im lokalen Netz.',
  ],
  ['Gives the code of agents their workspaces.', 'Gibt dem Code der Agenten ihre Arbeitsordner.'],
  [
    'Runs the commands and programs of agents, confined by the sandbox driver.',
    'Führt die Befehle und Programme der Agenten aus, abgeschottet durch den Treiber der Sandbox.',
  ],
  ['Reads the ontologies of the deployment.', 'Liest die Ontologien des Dienstes.'],
  [
    'Reads and changes the files in the workspace of the calling agent.',
    'Liest und ändert die Dateien im Arbeitsordner des Agenten, der es aufruft.',
  ],
  ['Hands e-mails to the configured mail server.', 'Übergibt E-Mails dem eingestellten Mailserver.'],
  ['Hands notifications to the push services of people’s browsers.', 'Übergibt Benachrichtigungen den Push-Diensten der Browser.'],
  ['Reads pages of the public web that agents ask for.', 'Liest Seiten des öffentlichen Webs, nach denen Agenten fragen.'],
  [
    'Makes backups in a separate process, which can be ended at any moment.',
    'Macht Sicherungen in einem eigenen Prozess, der jederzeit beendet werden kann.',
  ],
  [
    'Looks for the standard variables of known providers, such as OPENAI_API_KEY.',
    'Sucht nach den üblichen Variablen bekannter Anbieter, etwa OPENAI_API_KEY.',
  ],
  [
    'Refreshes the model catalogue when an administrator requests it.',
    'Erneuert den Katalog der Modelle, wenn ein Administrator das verlangt.',
  ],
  [
    'Sends people their files, stores new ones, and removes what deletions and interrupted writes left behind.',
    'Sendet Menschen ihre Dateien, speichert neue, und entfernt, was nach dem Löschen und nach abgebrochenem Schreiben übrig blieb.',
  ],
  [
    'Writes the file that “chats export --output” names, and reads the one that “chats import” names.',
    'Schreibt die Datei, die „chats export --output“ nennt, und liest die, die „chats import“ nennt.',
  ],
  [
    'Connects to the Bitwarden server that a connection names: a public one for connections of users, also one of the local network for those of the deployment.',
    'Verbindet sich mit dem Bitwarden-Server, den eine Verbindung nennt: für Benutzer mit einem öffentlichen, für den Dienst auch mit einem im lokalen Netz.',
  ],
  ['Identifies people at the identity provider.', 'Lässt Menschen vom Identitätsanbieter erkennen.'],
  [
    'Signs people in after the identity provider has proven their identity.',
    'Meldet Menschen an, wenn der Identitätsanbieter sie erkannt hat.',
  ],
  ['Receives and sends messages and files at Slack.', 'Empfängt und sendet Nachrichten und Dateien bei Slack.'],
  [
    'Stores the secrets of other plugins encrypted, and opens them only for those plugins.',
    'Speichert die Geheimnisse anderer Plugins verschlüsselt, und öffnet sie nur für diese Plugins.',
  ],
  [
    'Signs people in at the authorization servers that plugins name, and renews their tokens.',
    'Meldet Menschen bei den Autorisierungsservern an, die Plugins nennen, und erneuert ihre Token.',
  ],
  [
    'Sends conversations to the configured model endpoints, and requests the credentials to sign them from AWS.',
    'Sendet Gespräche an die eingestellten Endpunkte der Modelle, und verlangt von AWS die Zugangsdaten, um sie zu unterschreiben.',
  ],
  [
    'Reads the standard variables of AWS, such as AWS_REGION and AWS_ACCESS_KEY_ID.',
    'Liest die üblichen Variablen von AWS, etwa AWS_REGION und AWS_ACCESS_KEY_ID.',
  ],
  [
    'Hands the key of the chosen search provider to it, and that of an installed one.',
    'Übergibt dem gewählten Suchanbieter seinen Schlüssel, und einem installierten den seinen.',
  ],
  ['Drives the configured browser service.', 'Steuert den eingestellten Browserdienst.'],
  [
    'Carries what pages load, to public addresses alone, through a proxy of its own.',
    'Befördert über einen eigenen Proxy, was Seiten laden, nur von öffentlichen Adressen.',
  ],
  [
    'Stores downloads in the workspace of the agent, and hands its files to pages.',
    'Speichert Downloads im Arbeitsordner des Agenten, und gibt Seiten dessen Dateien.',
  ],
  [
    'Asks the server that a connection names: of a user, a public one; of the deployment, also one of the local network.',
    'Fragt den Server, den eine Verbindung nennt: für Benutzer einen öffentlichen, für den Dienst auch einen im lokalen Netz.',
  ],
  [
    'Posts answers to the address of a connection: of a user, a public one; of the deployment, also one of the local network.',
    'Sendet Antworten an die Adresse einer Verbindung: für Benutzer an eine öffentliche, für den Dienst auch an eine im lokalen Netz.',
  ],
  [
    'Signs in to 1Password, and reads and writes the items of its vaults.',
    'Meldet sich bei 1Password an, und liest und schreibt die Einträge seiner Tresore.',
  ],
  [
    'Starts the programs of agents, confined, and the helper that confines them.',
    'Startet die Programme der Agenten abgeschottet, und das Hilfsprogramm, das sie abschottet.',
  ],
  [
    'Gives workspaces to the users that the programs run as, and keeps their tokens in files.',
    'Gibt den Systembenutzern, unter denen Programme laufen, die Arbeitsordner, und bewahrt deren Token in Dateien auf.',
  ],
  [
    'Connects programs of agents to the destinations that the policies allow.',
    'Verbindet Programme der Agenten mit den Zielen, die die Richtlinien erlauben.',
  ],
  ['Sends the searches of agents to Tavily.', 'Sendet die Suchanfragen der Agenten an Tavily.'],
  ['Receives and sends messages and files at Discord.', 'Empfängt und sendet Nachrichten und Dateien bei Discord.'],
  [
    'Reads the files that people attach to their messages and the exports that they import, and stores the pictures of imported chats.',
    'Liest die Dateien, die Menschen an ihre Nachrichten hängen, und die Exporte, die sie importieren, und speichert die Bilder importierter Chats.',
  ],
  ['Reads and sends messages at Telegram.', 'Liest und sendet Nachrichten bei Telegram.'],
  [
    'Runs Cedar in its own process, so that a crash fails only one decision.',
    'Führt Cedar in einem eigenen Prozess aus, sodass ein Absturz nur eine Entscheidung scheitern lässt.',
  ],
  ['Reads the files that people and their agents share by links.', 'Liest die Dateien, die Menschen und ihre Agenten über Links teilen.'],
  [
    'Reads the profiles of AWS tools, and the token of a sign-in.',
    'Liest die Profile der Werkzeuge von AWS, und das Token einer Anmeldung.',
  ],
  [
    'Runs the credential_process of an AWS profile, if one is configured.',
    'Führt den credential_process eines AWS-Profils aus, falls einer eingestellt ist.',
  ],
]

export const permissionReason: (reason: string) => ReasonText = createReasonText(germanPermissions)
