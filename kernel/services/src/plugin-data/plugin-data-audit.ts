import type { AuditEntry } from '@agent-service/kernel-core/audit'
import type { Transaction } from '@agent-service/sdk/services/database'

/** What happens to the data of a plugin, as an entry of the audit log. Its subject is the plugin's id. */
export interface PluginDataAuditEntry extends AuditEntry {
  readonly kind: 'plugin_data.kept' | 'plugin_data.deletion_begun' | 'plugin_data.deleted' | 'plugin_data.handed_over'
}

/** Stores an entry in the transaction of its change. */
export type RecordPluginData = (transaction: Transaction, entry: PluginDataAuditEntry) => void
