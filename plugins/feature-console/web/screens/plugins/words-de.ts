import { createReasonText, type GermanReasons, language, type ReasonText } from '@agent-service/sdk/web'
import type { Plugin } from './plugin.js'

/** What the plugins of the product are for, by their ids. A test holds the English sentences that these say. */
export const germanDescriptions: Readonly<Record<string, string>> = {
  'channel-discord': 'Nachrichten mit Discord, über dessen Gateway.',
  'channel-email': 'Nachrichten per E-Mail, über IMAP und SMTP.',
  'channel-slack': 'Nachrichten mit Slack, über den Socket Mode oder die Events-API.',
  'channel-telegram': 'Nachrichten über Bots bei Telegram.',
  'channel-webhook': 'Nachrichten von Programmen über signierte Webhooks, in beide Richtungen.',
  'cli-channels': 'Die Befehle channels list, add, test, pair, unpair, retry, deliveries und remove.',
  'cli-chat': 'Die Befehle chat, chats, agents und usage: mit Agenten im Terminal sprechen, Chats und Agenten verwalten.',
  'cli-credentials': 'Die Befehle credentials list, grant, revoke und log, und vaults list, test, sync und items.',
  'cli-files': 'Die Befehle files list, search, get, put, move, copy, remove, bin und restore: deine Dateien im Terminal.',
  'cli-memory': 'Die Befehle memory list, search, add, forget, export, import, status und migrate.',
  'cli-notifications': 'Die Befehle notifications list, read und preferences, und mail test: Benachrichtigungen im Terminal.',
  'cli-prompts': 'Die Befehle prompts list, show, add und remove: gespeicherte Prompts im Terminal.',
  'cli-sandbox': 'Die Befehle sandbox status, processes, output und stop: was den Code der Agenten abschottet, und was läuft.',
  'cli-shares': 'Die Befehle shares list, create und revoke: Links zu Dateien und Chats im Terminal.',
  'cli-skills': 'Die Befehle skills list, show, install, check, update, remove, create und validate: Fertigkeiten der Agenten im Terminal.',
  'cli-tasks': 'Die Befehle tasks list, show, run, pause, resume, cancel und logs: Aufgaben im Terminal.',
  'database-lowdb': 'Eine Datenbank aus lesbaren JSON-Dateien, für kleine Installationen.',
  'database-sqlite': 'Die eingebaute Datenbank: eine SQLite-Datei, die auch einen Stromausfall übersteht.',
  'feature-agent-credentials': 'Zugangsdaten und Tresore von Personen, und was ihre Agenten davon benutzen dürfen.',
  'feature-agents': 'Agenten, Chats, Nachrichten und Läufe.',
  'feature-backup': 'Sicherungen des ganzen Dienstes, auf Wunsch und nach Zeitplan.',
  'feature-browser': 'Ein Browser ohne Fenster als Werkzeug der Agenten.',
  'feature-channels': 'Verbindungen zu Messengern: Agenten dort, wo die Menschen schon sind.',
  'feature-console': 'Die Webkonsole: Chats, Agenten und Verwaltung im Browser.',
  'feature-credentials': 'Geheimnisse und OAuth-Token für Plugins, je Person und für den ganzen Dienst.',
  'feature-documents': 'Macht Text aus Dokumenten: PDF, Office, Webseiten, E-Mail und anderen.',
  'feature-files':
    'Die Dateien der Personen über HTTP: Listen, Suche, Downloads, fortsetzbare Uploads, Ordner, Kopien, ein Papierkorb, signierte Adressen.',
  'feature-inference': 'Modelle, Anbieter und Wiederholungen: der eine Weg, ein Modell aufzurufen.',
  'feature-mail': 'Versand von E-Mails.',
  'feature-memory': 'Was Agenten über Personen und über sich selbst behalten.',
  'feature-model-api': 'Modelle und Agenten über die Protokolle von OpenAI, für Programme, die sie sprechen.',
  'feature-notifications': 'Benachrichtigungen von Personen: aufbewahrt, sofort, per E-Mail und auf ihren Geräten.',
  'feature-prompts': 'Gespeicherte Prompts mit einem kurzen Befehl.',
  'feature-sandbox': 'Abgeschottete Prozesse für den Code der Agenten.',
  'feature-search': 'Websuche als Werkzeug der Agenten.',
  'feature-share': 'Kurze Links zu Dateien und Chats.',
  'feature-skills':
    'Fertigkeiten der Agenten: Ordner mit Anleitungen, Skripten und Material, mitgeliefert, gemeinsam, von Personen und von Agenten.',
  'feature-sso': 'Anmeldung mit OpenID Connect.',
  'feature-tasks': 'Aufgaben im Hintergrund, Zeitpläne, Erinnerungen und Daueraufträge der Agenten.',
  'feature-telemetry': 'Export von Ablaufdaten (Traces).',
  'memory-basic': 'Gedächtnis für Personen, Agenten und Bereiche als kurz gehaltene Notizen.',
  'memory-pkm': 'Gedächtnis, das aus Chats lernt: kurze Erinnerungen, die verblassen, Seiten mit datierten Aussagen, und Playbooks.',
  'policy-cedar': 'Entscheidet nach Regeln in der Sprache Cedar.',
  'provider-anthropic': 'Ruft Modelle über das Nachrichtenprotokoll von Anthropic auf.',
  'provider-bedrock': 'Ruft Modelle über das Protokoll Converse von Amazon Bedrock auf.',
  'provider-cohere': 'Ruft Modelle über das Chatprotokoll von Cohere auf.',
  'provider-gemini': 'Ruft Modelle über das Protokoll von Google Gemini auf.',
  'provider-huggingface': 'Ruft Modelle über den Router von Hugging Face auf.',
  'provider-ollama': 'Ruft Modelle eines eigenen Ollama auf.',
  'provider-openai': 'Ruft Modelle über die Protokolle von OpenAI auf, die auch viele andere sprechen.',
  'sandbox-linux': 'Schottet die Prozesse der Agenten unter Linux ab: bubblewrap, Landlock und seccomp.',
  'sandbox-macos': 'Schottet die Prozesse der Agenten unter macOS ab, mit sandbox-exec.',
  'search-brave': 'Websuche mit Brave Search.',
  'search-searxng': 'Websuche mit einer eigenen SearXNG-Instanz.',
  'search-tavily': 'Websuche mit Tavily.',
  'tool-files': 'Werkzeuge für die Dateien im Arbeitsordner eines Agenten.',
  'tool-web': 'Webseiten lesen, als Werkzeug.',
  'vault-bitwarden': 'Liest die Einträge von Konten bei Bitwarden und verwandten Servern, und ändert ihre Anmeldungen.',
  'vault-keepass': 'Liest und ändert Einträge von KeePass-Datenbanken (KDBX 3.1, 4.0, 4.1).',
  'vault-kv2': 'Liest und ändert Geheimnisse von HashiCorp Vault und OpenBao (KV Version 2).',
  'vault-onepassword': 'Liest und ändert Einträge von 1Password mit Dienstkonten.',
}

/** Why a plugin does not run, or cannot be switched. */
const germanPluginReasons: GermanReasons = [
  ['not selected by {} (which is “{}”)', 'nicht ausgewählt: {} ist „{}“'],
  ['“{}” fills the slot {}', '„{}“ ist unter {} ausgewählt'],
  ['its settings are known, but its code does not exist yet', 'seine Einstellungen sind bekannt, seinen Code gibt es noch nicht'],
  ['it runs, but {} error(s) escaped, the last as {}', 'es läuft, aber {} Fehler sind aufgetreten, der letzte: {}'],
  ['it requires the service “{}” of plugin “{}”, which is {-}: {}', 'es braucht den Dienst „{}“ des Plugins „{}“, das nicht läuft: {}'],
  ['stopped before plugin “{}”, which it uses', 'angehalten vor dem Plugin „{}“, das es benutzt'],
]

/** What a plugin is for. Those of others describe themselves, in English. */
export function descriptionText({ id, source, description }: Pick<Plugin, 'id' | 'source' | 'description'>): ReasonText {
  const german = language() === 'de' && source === 'built-in' && Object.hasOwn(germanDescriptions, id) ? germanDescriptions[id] : undefined
  return german === undefined ? { text: description ?? '', lang: 'en' } : { text: german, lang: 'de' }
}

export const pluginReasonText: (reason: string) => ReasonText = createReasonText(germanPluginReasons)
