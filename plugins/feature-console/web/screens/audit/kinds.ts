import { language } from '../../i18n/language.js'

/** What the kinds of entries mean. Those of third parties are shown as they are. */
const kinds: Readonly<Record<string, readonly [en: string, de: string]>> = {
  'account.changed': ['Account changed', 'Konto geändert'],
  'account.created': ['Account created', 'Konto angelegt'],
  'account.deleted': ['Account deleted', 'Konto gelöscht'],
  'account.exported': ['Data of an account downloaded', 'Daten eines Kontos heruntergeladen'],
  'admin.operation': ['Administration', 'Verwaltung'],
  'backup.created': ['Backup made', 'Sicherung angelegt'],
  'backup.restored': ['Backup restored', 'Sicherung zurückgespielt'],
  'budget.removed': ['Budget removed', 'Budget entfernt'],
  'budget.set': ['Budget set', 'Budget gesetzt'],
  'catalogue.refreshed': ['List of models refreshed', 'Modellliste erneuert'],
  'configuration.changed': ['Settings changed', 'Einstellungen geändert'],
  'credential.changed': ['Credential changed', 'Zugangsdaten geändert'],
  'credential.created': ['Credential added', 'Zugangsdaten hinzugefügt'],
  'credential.deleted': ['Credential deleted', 'Zugangsdaten gelöscht'],
  'credential.replaced': ['Credential replaced', 'Zugangsdaten ersetzt'],
  'credential.sign_in_begun': ['Sign-in at a provider begun', 'Anmeldung bei einem Anbieter begonnen'],
  'credential.sign_in_cancelled': ['Sign-in at a provider cancelled', 'Anmeldung bei einem Anbieter abgebrochen'],
  'credential.signed_in': ['Signed in at a provider', 'Bei einem Anbieter angemeldet'],
  'credential.tested': ['Credential tested', 'Zugangsdaten geprüft'],
  'data_key.rotated': ['Data key replaced', 'Datenschlüssel ersetzt'],
  'email.changed': ['E-mail address changed', 'E-Mail-Adresse geändert'],
  'email.confirmation_refused': ['Wrong code for an e-mail address', 'Falscher Code für eine E-Mail-Adresse'],
  'email.confirmation_sent': ['Code for an e-mail address requested', 'Code für eine E-Mail-Adresse angefordert'],
  'email.confirmed': ['E-mail address confirmed', 'E-Mail-Adresse bestätigt'],
  'encryption_secret.changed': ['Encryption secret changed', 'Verschlüsselungsgeheimnis geändert'],
  'account.handed_over': ['Account handed over', 'Konto übergeben'],
  'identity.linked': ['Identity linked', 'Identität verknüpft'],
  'identity.unlinked': ['Identity removed', 'Identität entfernt'],
  'memory.migration_given_up': ['Move of memories given up', 'Umzug der Erinnerungen aufgegeben'],
  'memory.migration_started': ['Move of memories begun', 'Umzug der Erinnerungen begonnen'],
  'password.change_refused': ['Change of password refused', 'Passwortänderung abgelehnt'],
  'password.changed': ['Password changed', 'Passwort geändert'],
  'plugin.disabled': ['Plugin disabled', 'Plugin ausgeschaltet'],
  'plugin.enabled': ['Plugin enabled', 'Plugin eingeschaltet'],
  'plugin.granted': ['Plugin granted its permissions', 'Plugin erlaubt'],
  'plugin.installed': ['Plugin installed', 'Plugin installiert'],
  'plugin.removed': ['Plugin removed', 'Plugin entfernt'],
  'plugin_data.deleted': ['Data of a plugin deleted', 'Daten eines Plugins gelöscht'],
  'plugin_data.deletion_begun': ['Deletion of the data of a plugin begun', 'Löschen der Daten eines Plugins begonnen'],
  'plugin_data.handed_over': ['Data of a plugin handed over to another', 'Daten eines Plugins an ein anderes übergeben'],
  'plugin_data.kept': ['Data of a plugin kept', 'Daten eines Plugins behalten'],
  'policy.changed': ['Policy changed', 'Regel geändert'],
  'policy.created': ['Policy created', 'Regel angelegt'],
  'policy.deleted': ['Policy deleted', 'Regel gelöscht'],
  'presigned_url.revoked': ['Link to a file revoked', 'Link zu einer Datei widerrufen'],
  'presigned_urls.revoked': ['All links to files revoked', 'Alle Links zu Dateien widerrufen'],
  'service.restart_requested': ['Restart requested', 'Neustart verlangt'],
  'service.restarted': ['Restarted', 'Neu gestartet'],
  'session.confirmation_refused': ['Confirmation of identity refused', 'Bestätigung der Identität abgelehnt'],
  'session.confirmed': ['Identity confirmed', 'Identität bestätigt'],
  'session.ended': ['Signed out', 'Abgemeldet'],
  'session.refresh_reused': ['Copied session ended', 'Kopierte Sitzung beendet'],
  'sign_in.failed': ['Sign-in failed', 'Anmeldung fehlgeschlagen'],
  'sign_in.succeeded': ['Signed in', 'Angemeldet'],
  'signing_key.rotated': ['Signing key replaced', 'Signaturschlüssel ersetzt'],
  'token.created': ['Token created', 'Token angelegt'],
  'token.revoked': ['Token revoked', 'Token widerrufen'],
  'username.changed': ['Username changed', 'Benutzername geändert'],
}

/** The kind in words. */
export function kindText(kind: string): string {
  const [en, de] = kinds[kind] ?? [kind, kind]
  return { en, de }[language()]
}

/** The known kinds, in the order of their words. */
export const knownKinds = (): readonly string[] =>
  Object.keys(kinds).sort((one, other) => kindText(one).localeCompare(kindText(other), language()))
