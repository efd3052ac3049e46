/** An entry of the audit log, as the API shows it. */
export interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly source: string | null
  readonly actor_id: string | null
  readonly session_id: string | null
  readonly token_id: string | null
  readonly address: string | null
  readonly operation: string | null
  readonly request_id: string | null
  readonly subject_id: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly details: Readonly<Record<string, unknown>>
}
