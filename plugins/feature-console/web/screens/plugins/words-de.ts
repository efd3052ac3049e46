import { createReasonText, type GermanReasons, type ReasonText } from '../../i18n/reason-text.js'

/** What the plugins of the product say of themselves, in German. A test compares the English side with their manifests. */
export const germanDescriptions: GermanReasons = [
  [
    'A database of plain JSON files that a person can read, for small deployments.',
    'Eine Datenbank aus lesbaren JSON-Dateien, für kleine Installationen.',
  ],
  ['A headless browser as a tool of agents.', 'Ein Browser ohne Fenster als Werkzeug der Agenten.'],
  ['Agents, chats, messages and runs.', 'Agenten, Chats, Nachrichten und Läufe.'],
  [
    'Background tasks, schedules, reminders and heartbeats of agents.',
    'Aufgaben im Hintergrund, Zeitpläne, Erinnerungen und Daueraufträge der Agenten.',
  ],
  ['Backups of the whole service, on request and on a schedule.', 'Sicherungen des ganzen Dienstes, auf Wunsch und nach Zeitplan.'],
  ['Calls models of a local Ollama (adapter_zeta).', 'Ruft Modelle eines eigenen Ollama auf.'],
  [
    "Calls models through Amazon Bedrock's Converse protocol (adapter_delta).",
    'Ruft Modelle über das Protokoll Converse von Amazon Bedrock auf.',
  ],
  ['Calls models through Anthropic’s messages protocol (adapter_beta).', 'Ruft Modelle über das Nachrichtenprotokoll von Anthropic auf.'],
  ["Calls models through Cohere's chat protocol (adapter_epsilon).", 'Ruft Modelle über das Chatprotokoll von Cohere auf.'],
  ['Calls models through Google’s generate-content protocol (adapter_gamma).', 'Ruft Modelle über das Protokoll von Google Gemini auf.'],
  [
    'Calls models through OpenAI-style responses and chat completions (adapter_alpha).',
    'Ruft Modelle über die Protokolle von OpenAI auf, die auch viele andere sprechen.',
  ],
  ['Calls models through the Hugging Face router (adapter_eta).', 'Ruft Modelle über den Router von Hugging Face auf.'],
  ['Confined processes for the code of agents.', 'Abgeschottete Prozesse für den Code der Agenten.'],
  [
    'Confines the processes of agents on Linux: bubblewrap, Landlock and seccomp.',
    'Schottet die Prozesse der Agenten unter Linux ab: bubblewrap, Landlock und seccomp.',
  ],
  ['Confines the processes of agents on macOS, by sandbox-exec.', 'Schottet die Prozesse der Agenten unter macOS ab, mit sandbox-exec.'],
  [
    'Connections to messaging channels: agents where people already are.',
    'Verbindungen zu Messengern: Agenten dort, wo die Menschen schon sind.',
  ],
  [
    'Credentials and vaults of people, and what their agents may use of them.',
    'Zugangsdaten und Tresore von Personen, und was ihre Agenten davon benutzen dürfen.',
  ],
  ['Decides by policies in the Cedar language.', 'Entscheidet nach Regeln in der Sprache Cedar.'],
  ['Export of traces.', 'Export von Ablaufdaten (Traces).'],
  [
    'Makes text of documents: PDF, Office, web pages, e-mail and others.',
    'Macht Text aus Dokumenten: PDF, Office, Webseiten, E-Mail und anderen.',
  ],
  [
    'Memory of users, agents and spaces as notes that are kept short.',
    'Gedächtnis für Personen, Agenten und Bereiche als kurz gehaltene Notizen.',
  ],
  [
    'Memory that learns from chats: short memories that fade, pages of dated statements, and playbooks.',
    'Gedächtnis, das aus Chats lernt: kurze Erinnerungen, die verblassen, Seiten mit datierten Aussagen, und Playbooks.',
  ],
  ['Messages by e-mail, over IMAP and SMTP.', 'Nachrichten per E-Mail, über IMAP und SMTP.'],
  [
    'Messages of programs over signed webhooks, in both directions.',
    'Nachrichten von Programmen über signierte Webhooks, in beide Richtungen.',
  ],
  ['Messages over bots of Telegram.', 'Nachrichten über Bots bei Telegram.'],
  ['Messages with Discord, over its gateway.', 'Nachrichten mit Discord, über dessen Gateway.'],
  ['Messages with Slack, by Socket Mode or by the Events API.', 'Nachrichten mit Slack, über den Socket Mode oder die Events-API.'],
  [
    'Model groups and agents through the OpenAI protocols, for clients that speak them.',
    'Modelle und Agenten über die Protokolle von OpenAI, für Programme, die sie sprechen.',
  ],
  [
    'Model groups, connections and retries: the one way to call a model.',
    'Modelle, Anbieter und Wiederholungen: der eine Weg, ein Modell aufzurufen.',
  ],
  ['Notifications of users: stored, live, and by e-mail.', 'Benachrichtigungen von Personen: aufbewahrt, sofort, und per E-Mail.'],
  ['Reading pages of the web as a tool.', 'Webseiten lesen, als Werkzeug.'],
  ['Reads and changes items of 1Password with service accounts.', 'Liest und ändert Einträge von 1Password mit Dienstkonten.'],
  [
    'Reads and changes secrets of HashiCorp Vault and OpenBao (KV version 2).',
    'Liest und ändert Geheimnisse von HashiCorp Vault und OpenBao (KV Version 2).',
  ],
  [
    'Reads and changes the entries of KeePass databases (KDBX 3.1, 4.0, 4.1).',
    'Liest und ändert Einträge von KeePass-Datenbanken (KDBX 3.1, 4.0, 4.1).',
  ],
  [
    'Reads the items of accounts at Bitwarden and compatible servers, and changes their logins.',
    'Liest die Einträge von Konten bei Bitwarden und verwandten Servern, und ändert ihre Anmeldungen.',
  ],
  [
    'Secrets and OAuth tokens for plugins, per user and deployment.',
    'Geheimnisse und OAuth-Token für Plugins, je Person und für den ganzen Dienst.',
  ],
  ['Sending of e-mail.', 'Versand von E-Mails.'],
  ['Short links to files and chats.', 'Kurze Links zu Dateien und Chats.'],
  ['Sign-in with OpenID Connect.', 'Anmeldung mit OpenID Connect.'],
  [
    'Skills of agents: folders with instructions, scripts and material, bundled, shared, of a person and of an agent.',
    'Fertigkeiten der Agenten: Ordner mit Anleitungen, Skripten und Material, mitgeliefert, gemeinsam, von Personen und von Agenten.',
  ],
  [
    'The commands channels list, add, test, pair, unpair, retry, deliveries and remove.',
    'Die Befehle channels list, add, test, pair, unpair, retry, deliveries und remove.',
  ],
  [
    'The commands chat, chats, agents and usage: talk to agents in a terminal, and manage chats and agents.',
    'Die Befehle chat, chats, agents und usage: mit Agenten im Terminal sprechen, Chats und Agenten verwalten.',
  ],
  [
    'The commands credentials list, grant, revoke and log, and vaults list, test, sync and items.',
    'Die Befehle credentials list, grant, revoke und log, und vaults list, test, sync und items.',
  ],
  [
    'The commands files list, search, get, put, move, copy, remove, bin and restore: your files in the terminal.',
    'Die Befehle files list, search, get, put, move, copy, remove, bin und restore: deine Dateien im Terminal.',
  ],
  [
    'The commands memory list, search, add, forget, export, import, status and migrate.',
    'Die Befehle memory list, search, add, forget, export, import, status und migrate.',
  ],
  [
    'The commands notifications list, read and preferences, and mail test: notifications in the terminal.',
    'Die Befehle notifications list, read und preferences, und mail test: Benachrichtigungen im Terminal.',
  ],
  [
    'The commands sandbox status, processes, output and stop: what confines the code of agents, and what runs.',
    'Die Befehle sandbox status, processes, output und stop: was den Code der Agenten abschottet, und was läuft.',
  ],
  [
    'The commands shares list, create and revoke: links to files and chats in the terminal.',
    'Die Befehle shares list, create und revoke: Links zu Dateien und Chats im Terminal.',
  ],
  [
    'The commands skills list, show, install, check, update, remove, create and validate: skills of agents in the terminal.',
    'Die Befehle skills list, show, install, check, update, remove, create und validate: Fertigkeiten der Agenten im Terminal.',
  ],
  [
    'The commands tasks list, show, run, pause, resume, cancel and logs: background tasks in the terminal.',
    'Die Befehle tasks list, show, run, pause, resume, cancel und logs: Aufgaben im Terminal.',
  ],
  [
    'The embedded default database: one SQLite file with durable group commits.',
    'Die eingebaute Datenbank: eine SQLite-Datei, die auch einen Stromausfall übersteht.',
  ],
  [
    'The files of users over HTTP: lists, search, downloads, uploads that resume, folders, copies, a bin, pre-signed URLs.',
    'Die Dateien der Personen über HTTP: Listen, Suche, Downloads, fortsetzbare Uploads, Ordner, Kopien, ein Papierkorb, signierte Adressen.',
  ],
  ['The web console: chats, agents and administration in the browser.', 'Die Webkonsole: Chats, Agenten und Verwaltung im Browser.'],
  ['Tools for the files of an agent’s workspace.', 'Werkzeuge für die Dateien im Arbeitsordner eines Agenten.'],
  ['What agents remember of people and of themselves.', 'Was Agenten über Personen und über sich selbst behalten.'],
  ['Web search as a tool of agents.', 'Websuche als Werkzeug der Agenten.'],
  ['Web search by an instance of SearXNG.', 'Websuche mit einer eigenen SearXNG-Instanz.'],
  ['Web search by Brave Search.', 'Websuche mit Brave Search.'],
  ['Web search by Tavily.', 'Websuche mit Tavily.'],
]

/** Why a plugin does not run, or cannot be switched. */
const germanPluginReasons: GermanReasons = [
  ['not selected by {} (which is “{}”)', 'nicht ausgewählt: {} ist „{}“'],
  ['“{}” fills the slot {}', '„{}“ ist unter {} ausgewählt'],
  ['its settings are known, but its code does not exist yet', 'seine Einstellungen sind bekannt, seinen Code gibt es noch nicht'],
  ['it runs, but {} error(s) escaped, the last as {}', 'es läuft, aber {} Fehler sind aufgetreten, der letzte: {}'],
  ['it requires the service “{}” of plugin “{}”, which is {-}: {}', 'es braucht den Dienst „{}“ des Plugins „{}“, das nicht läuft: {}'],
  ['stopped before plugin “{}”, which it uses', 'angehalten vor dem Plugin „{}“, das es benutzt'],
]

export const descriptionText: (description: string) => ReasonText = createReasonText(germanDescriptions)
export const pluginReasonText: (reason: string) => ReasonText = createReasonText(germanPluginReasons)
