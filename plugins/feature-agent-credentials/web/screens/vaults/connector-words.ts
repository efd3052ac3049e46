import { language } from '@agent-service/sdk/web'
import type { FormSchema } from '@agent-service/sdk/web/forms'

interface Words {
  readonly title: string
  readonly description?: string
}

/** The German words for the forms of our own connectors, by connector and member. Forms of others stay as they are. */
const german: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  bitwarden: {
    client_id: {
      title: 'client_id',
      description: 'Vom persönlichen API-Schlüssel: im Web-Tresor unter Einstellungen, Sicherheit, Schlüssel. Er beginnt mit „user.“.',
    },
    client_secret: { title: 'client_secret', description: 'Vom selben API-Schlüssel.' },
    master_password: { title: 'Master-Passwort', description: 'Es entschlüsselt die Einträge hier. Es wird nirgendwohin gesendet.' },
    server_url: {
      title: 'Server',
      description: 'Die Adresse deines eigenen Servers, etwa https://vault.example.org. Leer: bitwarden.com.',
    },
  },
  keepass: {
    path: { title: 'Datei', description: 'Die Datenbank, eine KDBX-Datei unter deinen Dateien, etwa files/passwoerter.kdbx.' },
    password: { title: 'Master-Passwort', description: 'Leer, wenn eine Schlüsseldatei allein die Datenbank öffnet.' },
    key_file: {
      title: 'Schlüsseldatei',
      description: 'Der Inhalt der Schlüsseldatei, falls es eine gibt: ihr Text, wenn sie XML oder 64 Ziffern enthält, sonst in Base64.',
    },
  },
  kv2: {
    address: { title: 'Adresse', description: 'Wo der Server ist, etwa https://vault.example.org:8200.' },
    token: {
      title: 'Token',
      description: 'Ein Token, das die Geheimnisse auflisten und lesen darf, und schreiben, wenn Agenten welche ändern sollen.',
    },
    mount: { title: 'Mount', description: 'Der Pfad der Secrets Engine vom Typ KV Version 2.' },
    namespace: { title: 'Namespace', description: 'Von Vault Enterprise oder OpenBao. Leer, wenn es keinen gibt.' },
  },
  onepassword: {
    service_account_token: {
      title: 'Token des Dienstkontos',
      description: 'Beginnt mit ops_. Ein Dienstkonto sieht die Tresore, die ihm bei seiner Erstellung gegeben wurden.',
    },
    vault_id: {
      title: 'Kennung des Tresors',
      description: 'Nur dieser Tresor wird benutzt, und neue Einträge kommen in ihn. Leer: alle Tresore, die das Dienstkonto sieht.',
    },
  },
}

/**
 * The form of a connector in the language of the page, as far as its words are known. Addresses,
 * paths and tokens are one line, however long they may be.
 */
export function formOf(connector: { readonly id: string; readonly connection: object }): FormSchema {
  const schema = connector.connection as FormSchema
  const words = language() === 'de' ? german[connector.id] : undefined
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    { format: 'line', ...property, ...words?.[name] },
  ])
  return { ...schema, properties: Object.fromEntries(properties) as Readonly<Record<string, FormSchema>> }
}

/** Whether the words of the form are English in any language. */
export const isForeign = (connectorId: string): boolean => !Object.hasOwn(german, connectorId)
